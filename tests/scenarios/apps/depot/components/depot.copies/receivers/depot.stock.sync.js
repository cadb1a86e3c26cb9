export const request = ({ id, left, VERSION }) => ({ query: { id }, input: { left, version: VERSION } })
