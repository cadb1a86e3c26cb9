/** Looks first: for the order that already has the voucher the answer is yes, for every other it is no. */
export function transition (input, entry) {
  if (entry.cents === 0) return new Error('NO_SUCH_VOUCHER')

  switch (entry.order) {
    case input.order:
      entry.DISCARD = true
      break
    case undefined:
      entry.order = input.order
      break
    default:
      return new Error('USED_ELSEWHERE', { cause: { order: entry.order } })
  }

  return { id: entry.id, cents: entry.cents, order: entry.order }
}
