export async function effect (input: any, { remote }: any) {
  return await remote.bank.chains.bill({ input })
}
