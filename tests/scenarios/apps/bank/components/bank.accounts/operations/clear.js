export function transition (_, entry) {
  entry.balance = 0

  return null
}
