import type { Context, Entity } from '../types/index.d.ts'

export async function observation (_: null, entries: Entity[], { stash, state }: Context) {
  const seen: number = await stash.incr('late')
  state.seen = seen

  return entries.map(({ id }) => id)
}
