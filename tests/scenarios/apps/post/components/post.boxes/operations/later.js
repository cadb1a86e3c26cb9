export async function effect ({ to, text }, { local }) {
  return { handed: await local.put({ query: { id: to }, input: { text }, task: true }) }
}
