export const condition = ({ paid, customer }) => paid && typeof customer === 'string'

export const request = ({ id, customer, cents }) => ({ input: { payment: id, customer, cents } })
