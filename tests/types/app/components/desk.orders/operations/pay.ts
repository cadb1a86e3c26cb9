import type { PayInput, State } from '../types/index.d.ts'

export function transition ({ cents }: PayInput, entry: State) {
  if (entry.stage === 'paid') return new Error('PAID_BEFORE')
  if (cents !== null && cents !== entry.total) return new Error('WRONG_SUM')

  entry.stage = 'paid'

  return entry
}
