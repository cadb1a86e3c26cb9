interface Revision {
  price?: number
  count: number
  seen: number
  DISCARD?: boolean
}

// A product's VERSION starts at 1 and each revision adds one, so the newest one says how many there were: an event that comes
// twice, or after a newer one, has nothing to add.
export function transition ({ price, version }: { price: number, version: number }, entry: Revision) {
  if (version <= entry.seen) {
    entry.DISCARD = true
  } else {
    entry.price = price
    entry.seen = version
    entry.count = version - 1
  }

  return entry
}
