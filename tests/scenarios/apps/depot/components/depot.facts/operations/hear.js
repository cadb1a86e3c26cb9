export function transition ({ cents }, entry) {
  if (entry.cents !== undefined) {
    entry.DISCARD = true

    return entry
  }

  entry.cents = cents

  return entry
}
