export function transition (_, entry, { now }) {
  entry.DELETED = now()

  return entry
}
