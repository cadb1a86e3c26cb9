import type { Entity } from '../types/index.d.ts'

export function guard (state: Entity, origin: Entity | null) {
  return origin?.stage !== 'gone' || state.stage === 'gone'
}
