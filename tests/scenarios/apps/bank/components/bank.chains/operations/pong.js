export async function effect (_, { local }) {
  return await local.ping()
}
