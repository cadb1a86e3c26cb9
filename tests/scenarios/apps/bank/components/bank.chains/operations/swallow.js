export async function effect ({ account }, { remote }) {
  const caught = []
  const keep = ({ name, code, message, operation }) => caught.push({ name, code, message, operation })

  await remote.bank.accounts.strict({ query: { id: account }, input: { amount: -1 } }).catch(keep)
  await remote.bank.papers.revise({ query: { id: account }, input: {} }).catch(keep)

  return caught
}
