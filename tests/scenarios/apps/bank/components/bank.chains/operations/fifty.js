export async function effect ({ account }, { remote }) {
  const calls = Array.from({ length: 50 }, () => remote.bank.accounts.add({ query: { id: account }, input: { amount: 1 } }))
  const replies = await Promise.all(calls)

  return Math.max(...replies.map(({ balance }) => balance))
}
