/** Has its own object written by a call of its own. */
export async function transition (_, entry, { local }) {
  await local.add({ query: { id: entry.id }, input: { amount: 1 } })
  entry.balance += 100

  return { balance: entry.balance }
}
