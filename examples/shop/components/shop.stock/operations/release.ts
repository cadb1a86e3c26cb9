interface Stock {
  shelf: number
  kept: Record<string, number>
  DISCARD?: boolean
}

// Puts an order's units back on the shelf. Without a reservation there is nothing to put back: also the second time.
export function transition ({ order }: { order: string }, entry: Stock) {
  if (Object.hasOwn(entry.kept, order)) {
    entry.shelf += entry.kept[order]
    delete entry.kept[order]
  } else entry.DISCARD = true

  return { order, shelf: entry.shelf }
}
