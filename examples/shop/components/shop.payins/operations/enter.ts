interface Payin {
  payment?: string
  customer?: string
  cents?: number
  DISCARD?: boolean
}

// The first report makes the object. Every later one finds it, whatever it says, and changes nothing.
export function transition (input: Required<Omit<Payin, 'DISCARD'>>, entry: Payin) {
  if (entry.payment === undefined) Object.assign(entry, input)
  else entry.DISCARD = true

  return { payment: entry.payment, cents: entry.cents }
}
