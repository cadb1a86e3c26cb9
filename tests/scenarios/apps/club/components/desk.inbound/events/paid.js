export const condition = ({ origin, state }) => origin === null && state.payment !== null

export const payload = ({ state }) => state.payment
