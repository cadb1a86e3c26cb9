export const request = ({ order, product }) => ({ query: { id: product }, input: { order } })
