import type { State } from '../types/index.d.ts'

export function transition (_: null, entries: State[]) {
  for (const entry of entries) {
    if (entry.stage === 'gone') entry.DISCARD = true
    else entry.stage = 'gone'
  }

  return entries.length
}
