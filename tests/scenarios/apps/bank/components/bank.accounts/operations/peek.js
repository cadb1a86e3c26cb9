export function transition ({ amount }, entry) {
  entry.balance += amount
  entry.DISCARD = true

  return { would: entry.balance }
}
