export function transition ({ order }, entry) {
  if (order in entry.orders) {
    entry.DISCARD = true

    return entry
  }

  const got = entry.left > 0

  if (got) entry.left--

  entry.orders[order] = got
  entry.TRAILERS.order = order
  entry.TRAILERS.got = got

  return entry
}
