export const request = ({ order }) => ({ query: { id: order }, input: { to: 'reserved' } })
