export function transition ({ cents }, entry) {
  if (cents > 1000) return new Error('TOO_MUCH')

  entry.cents += cents

  return entry
}
