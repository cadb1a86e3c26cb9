interface Counter {
  total: number
}

export function transition (input: { by: number }, entry: Counter) {
  entry.total += input.by

  return entry
}
