export async function effect ({ account }, { remote }) {
  return await remote.bank.accounts.add({ query: { id: account }, input: { amount: 1 } })
}
