export async function transition (_, entry, { local }) {
  await local.once({ query: { id: 'other' } })
  entry.count++

  return entry
}
