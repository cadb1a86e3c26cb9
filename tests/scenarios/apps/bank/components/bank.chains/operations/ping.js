export async function effect (_, { remote }) {
  return await remote.bank.chains.pong()
}
