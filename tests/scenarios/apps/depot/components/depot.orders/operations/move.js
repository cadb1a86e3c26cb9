const from = { reserved: ['placed'], failed: ['placed'], packed: ['placed', 'reserved'], cancelled: ['placed', 'reserved', 'failed'] }

export function transition ({ to }, entry) {
  if (entry.status === to) {
    entry.DISCARD = true

    return entry
  }

  if (!from[to].includes(entry.status)) return new Error('TOO_LATE')

  entry.status = to

  return entry
}
