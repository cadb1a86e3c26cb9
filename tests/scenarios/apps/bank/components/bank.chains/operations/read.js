export async function computation ({ account }, { remote }) {
  const { balance } = await remote.bank.accounts.observe({ query: { id: account } })

  return balance
}
