export const condition = ({ origin }) => origin === null || origin.payment === undefined

export const payload = ({ state }) => ({ customer: state.customer, cents: state.cents, payment: state.payment })
