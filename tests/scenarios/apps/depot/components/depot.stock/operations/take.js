export function transition (_, entry) {
  if (entry.left === 0) return new Error('SOLD_OUT')

  entry.left--

  return entry
}
