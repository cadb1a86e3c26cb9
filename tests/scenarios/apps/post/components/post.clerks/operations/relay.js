export async function effect (_, { local }) {
  await local.see({ query: { id: 'chief' } })
}
