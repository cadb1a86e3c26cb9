export function transition (input, entry) {
  if (input.text === '') return new Error('NO_TEXT')

  if (entry.to !== undefined) {
    entry.DISCARD = true

    return entry
  }

  Object.assign(entry, input)
  entry.TRAILERS.stamp = 'blue'

  return entry
}
