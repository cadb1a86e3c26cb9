interface Arrived {
  customer: string
  cents: number
  payment: string
}

export const request = ({ customer, cents, payment }: Arrived) => ({
  query: { id: customer },
  input: { cents, note: `payment ${payment}` }
})
