export function transition (_, entry) {
  entry.wanted = true

  return entry
}
