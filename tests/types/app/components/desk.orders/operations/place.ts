import type { Context, PlaceInput, State } from '../types/index.d.ts'

export function transition (input: PlaceInput, entry: State, context: Context) {
  if ((input.total ?? 0) > context.configuration.limit) return new Error('NO_CREDIT')

  entry.customer = input.customer
  entry.total = input.total ?? entry.total
  entry.lines = [{ product: 'pen', units: 2 }]
  entry.TRAILERS.placed = context.now()

  return entry
}
