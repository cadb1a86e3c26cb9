export async function transition ({ order }, entry, { remote }) {
  const refused = await remote.depot.orders.move({ query: { id: order }, input: { to: 'packed' } })

  if (refused instanceof Error) return refused

  entry.left--
}
