interface Input {
  order: string
  units: number
}

interface Stock {
  shelf: number
  kept: Record<string, number>
  DISCARD?: boolean
}

// A reservation belongs to its order, so a second request for that order has nothing left to do.
export function transition ({ order, units }: Input, entry: Stock) {
  if (Object.hasOwn(entry.kept, order)) entry.DISCARD = true
  else if (units > entry.shelf) return new Error('OUT_OF_STOCK')
  else {
    entry.shelf -= units
    entry.kept[order] = units
  }

  return { order, kept: entry.kept[order], shelf: entry.shelf }
}
