export const condition = ({ trailers }) => trailers.amount !== undefined

export const payload = ({ state: { id, balance, VERSION }, trailers: { amount, type, ref } }) => ({
  key: `${id}:${VERSION}`, owner: id, version: VERSION, balance, amount, type, ref
})
