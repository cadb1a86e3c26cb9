export async function observation ({ account }, entry, { remote }) {
  return await remote.bank.accounts.credit({ query: { id: account }, input: { amount: 1 } })
}
