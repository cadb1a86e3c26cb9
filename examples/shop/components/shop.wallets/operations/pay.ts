interface Input {
  order: string
  cents: number
}

interface Wallet {
  balance: number
  paid: Record<string, number>
  DISCARD?: boolean
}

// The order is the key: who asks again for a paid order hears that it is paid, and by how much.
export function transition ({ order, cents }: Input, entry: Wallet) {
  if (Object.hasOwn(entry.paid, order)) entry.DISCARD = true
  else if (cents > entry.balance) return new Error('NOT_ENOUGH_MONEY')
  else {
    entry.balance -= cents
    entry.paid[order] = cents
  }

  return { order, paid: entry.paid[order], balance: entry.balance }
}
