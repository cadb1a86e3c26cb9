export function transition ({ cents }: { cents: number }, entry: { balance: number }) {
  entry.balance += cents

  return entry
}
