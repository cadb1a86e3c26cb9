export const computation = async (input, { local }) => await local.peek()
