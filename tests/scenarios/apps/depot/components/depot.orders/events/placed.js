export const condition = ({ origin, state }) => state.status === 'placed' && origin?.status !== 'placed'

export const payload = ({ state }) => ({ order: state.id, product: state.product })
