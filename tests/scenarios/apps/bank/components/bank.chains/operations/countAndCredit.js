export async function transition ({ account }, entry, { remote }) {
  const { balance } = await remote.bank.accounts.credit({ query: { id: account }, input: { amount: 10 } })

  entry.count++

  return { count: entry.count, balance }
}
