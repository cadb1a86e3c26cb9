export function transition (input, entry) {
  Object.assign(entry, input)

  return entry
}
