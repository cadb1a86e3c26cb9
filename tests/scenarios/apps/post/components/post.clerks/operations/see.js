export function transition (_, entry) {
  entry.seen++
}
