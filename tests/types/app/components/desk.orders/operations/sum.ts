import type { SumInput, SumOutput } from '../types/index.d.ts'

export function computation ({ price, units }: SumInput): SumOutput {
  return price * units
}
