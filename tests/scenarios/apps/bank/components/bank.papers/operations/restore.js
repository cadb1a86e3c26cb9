export function transition (_, entry) {
  entry.DELETED = null

  return entry
}
