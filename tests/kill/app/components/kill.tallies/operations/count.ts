export function transition (_: null, entry: { total: number }) {
  entry.total++
}
