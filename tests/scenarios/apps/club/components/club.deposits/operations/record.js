export function transition (input, entry) {
  if (entry.payment !== undefined) {
    entry.DISCARD = true

    return entry
  }

  return Object.assign(entry, input)
}
