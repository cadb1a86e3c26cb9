import type { Context, Entity } from '../types/index.d.ts'

export function observation (_: null, entry: Entity | null, { logs }: Context): Entity | null {
  logs.info('looked', { version: entry?.VERSION })

  return entry
}
