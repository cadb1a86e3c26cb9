export async function transition (_, entry, { remote }) {
  const { left, VERSION } = await remote.depot.stock.observe({ query: { id: entry.id } })

  entry.left = left
  entry.version = VERSION

  return entry
}
