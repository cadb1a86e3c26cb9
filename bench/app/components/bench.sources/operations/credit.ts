interface Source {
  total: number
}

export function transition (input: { by: number }, entry: Source) {
  entry.total += input.by
}
