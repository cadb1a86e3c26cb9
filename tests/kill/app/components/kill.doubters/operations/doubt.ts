const met = new Set<string>()

export function transition ({ change }: { change: string }, entry: { changes: number }) {
  if (!met.has(change)) {
    met.add(change)

    throw new Error('not sure')
  }

  entry.changes++
}
