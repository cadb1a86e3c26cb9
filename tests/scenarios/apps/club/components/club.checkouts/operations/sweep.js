export async function effect ({ checkouts }, { remote }) {
  for (const checkout of checkouts) {
    const payment = await remote.desk.provider.checkout({ input: { checkout } })

    if (payment instanceof Error || !payment.paid || typeof payment.customer !== 'string') continue

    await remote.club.deposits.report({ input: { payment: payment.id, customer: payment.customer, cents: payment.cents } })
  }
}
