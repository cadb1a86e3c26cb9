export function transition ({ cents, ref }, entry) {
  if (ref in entry.paid) {
    entry.DISCARD = true

    return entry
  }

  if (entry.balance - entry.held < cents) return new Error('INSUFFICIENT_FUNDS')

  entry.balance -= cents
  entry.paid[ref] = cents
  Object.assign(entry.TRAILERS, { amount: -cents, type: 'debit', ref })

  return entry
}
