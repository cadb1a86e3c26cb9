interface Wallet {
  balance: number
}

// Written as though it ran once; `once` in the manifest sees to it that it counts once.
export function transition ({ cents }: { cents: number }, entry: Wallet) {
  entry.balance = entry.balance + cents

  return entry
}
