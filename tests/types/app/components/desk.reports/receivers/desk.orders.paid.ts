import type { Request } from '@toa.io/core/types'
import type { SettleInput } from '../types/index.d.ts'

export function request (payload: { order: string }): Request<SettleInput> {
  return { input: { order: payload.order, cents: 0 } }
}
