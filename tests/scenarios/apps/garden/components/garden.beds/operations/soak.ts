export function transition ({ water }: { water: number }, entry: { water: number }) {
  if (entry.water + water > 100) return new Error('TOO_WET')
  entry.water += water

  return entry
}
