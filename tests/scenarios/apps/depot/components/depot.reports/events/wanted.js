export const condition = ({ origin, state }) => state.wanted && !origin?.wanted

export const payload = ({ state }) => ({ report: state.id })
