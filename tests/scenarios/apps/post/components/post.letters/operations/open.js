export function transition (_, entry) {
  entry.opened++

  return entry
}
