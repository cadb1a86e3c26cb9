export const request = ({ customer, cents, payment }) => ({ query: { id: customer }, input: { cents, ref: payment } })
