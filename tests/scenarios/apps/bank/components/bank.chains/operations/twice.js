// Two calls with the same content, made on purpose.
export async function effect ({ account }, { remote }) {
  const credit = () => remote.bank.accounts.credit({ query: { id: account }, input: { amount: 5 } })
  const replies = await Promise.all([credit(), credit()])

  return replies.map(({ balance }) => balance).sort((a, b) => a - b)
}
