export const effect = (input, entry) => entry
