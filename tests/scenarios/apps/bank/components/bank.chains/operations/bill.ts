export async function effect ({ account, fail }: any, { remote }: any) {
  const credit = await remote.bank.accounts.credit({ query: { id: account }, input: { amount: 10 } })

  if (fail) throw new Error('after the first credit')

  const again = await remote.bank.accounts.credit({ query: { id: account }, input: { amount: 10 } })
  const added = await remote.bank.accounts.add({ query: { id: account }, input: { amount: 1 } })

  return [credit.balance, again.balance, added.balance]
}
