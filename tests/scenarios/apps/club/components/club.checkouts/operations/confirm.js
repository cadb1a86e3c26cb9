export async function effect ({ customer, checkout }, { remote }) {
  const payment = await remote.desk.provider.checkout({ input: { checkout } })

  if (payment instanceof Error) return payment
  if (payment.customer !== customer) return new Error('UNKNOWN_CHECKOUT')
  if (!payment.paid) return new Error('UNPAID')

  await remote.club.deposits.report({ input: { payment: payment.id, customer, cents: payment.cents } })

  return { cents: payment.cents }
}
