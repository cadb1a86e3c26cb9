'use strict'

// Looks first: the same voucher issued again is a success that writes nothing, another amount under its code is refused.
exports.transition = function transition (input, entry) {
  if (entry.cents === 0) entry.cents = input.cents
  else if (entry.cents === input.cents) entry.DISCARD = true
  else return new Error('ISSUED_OTHERWISE')

  return { id: entry.id, cents: entry.cents }
}
