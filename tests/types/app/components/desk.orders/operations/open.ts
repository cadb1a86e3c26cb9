import type { Client } from '@toa.io/core/types'
import type { Context } from '../types/index.d.ts'

export async function unmanaged (_: null, client: Client, context: Context) {
  const rows = await client.query('SELECT id FROM objects LIMIT ?', [10])

  return rows.map(({ id }) => id as string).concat(context.instance)
}
