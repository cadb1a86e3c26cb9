export function transition (_, entry) {
  entry.unknown = true

  return entry
}
