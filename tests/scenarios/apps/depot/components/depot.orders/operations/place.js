export function transition ({ product }, entry) {
  if (entry.status !== 'none') {
    entry.DISCARD = true

    return entry
  }

  entry.status = 'placed'
  entry.product = product

  return entry
}
