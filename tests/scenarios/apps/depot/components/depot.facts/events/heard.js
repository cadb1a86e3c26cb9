export const condition = ({ origin, state }) => (origin === null || origin.cents === undefined) && state.cents !== undefined

export const payload = ({ state }) => ({ fact: state.id, cents: state.cents })
