export function transition (_: null, entry: { changes: number }) {
  entry.changes++
}
