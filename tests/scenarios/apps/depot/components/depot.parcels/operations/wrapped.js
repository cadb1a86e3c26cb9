const doubling = (times) => (...args) => args[0] * times

export const computation = doubling(2)
