export async function computation ({ account }, { remote }) {
  return await remote.bank.accounts.credit({ query: { id: account }, input: { amount: 1 } })
}
