import type { Event } from '@toa.io/core/types'
import type { Context, Entity } from '../types/index.d.ts'

interface Trailers { placed?: number }

export function condition ({ state, origin }: Event<Entity, Trailers>, context: Context) {
  return origin?.stage !== 'paid' && state.stage === 'paid' && context.env === 'local'
}

export function payload ({ state, trailers }: Event<Entity, Trailers>) {
  return { order: state.id, customer: state.customer, at: trailers?.placed ?? state.UPDATED }
}
