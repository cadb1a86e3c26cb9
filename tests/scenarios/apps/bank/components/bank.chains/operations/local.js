export async function effect ({ account }, { local, remote }) {
  const { count } = await local.count({ query: { id: account } })
  const again = await remote.bank.chains.count({ query: { id: account } })

  return [count, again.count]
}
