export async function transition (input, entry, { remote }) {
  const decoded = await remote.desk.provider.decode({ input })

  if (decoded instanceof Error) return decoded

  entry.body = input.body
  entry.type = decoded.type
  entry.payment = decoded.payment ?? null

  return entry
}
