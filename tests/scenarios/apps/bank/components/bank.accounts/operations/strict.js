export function transition ({ amount }, entry) {
  if (entry.balance + amount < 0) throw new RangeError('below zero')

  entry.balance += amount

  return { balance: entry.balance }
}
