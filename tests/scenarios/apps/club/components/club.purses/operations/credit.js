export function transition ({ cents, ref }, entry) {
  entry.balance += cents
  Object.assign(entry.TRAILERS, { amount: cents, type: 'credit', ref })

  return entry
}
