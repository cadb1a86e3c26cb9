interface Sink {
  total: number
}

export function transition (input: { by: number }, entry: Sink) {
  entry.total += input.by
}
