export function transition ({ left, version }, entry) {
  if (version <= entry.version) {
    entry.DISCARD = true

    return entry
  }

  entry.left = left
  entry.version = version

  return entry
}
