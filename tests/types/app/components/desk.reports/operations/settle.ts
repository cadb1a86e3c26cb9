import type { Context, SettleInput, SettleOutput } from '../types/index.d.ts'

export async function effect ({ order, cents }: SettleInput, context: Context): Promise<SettleOutput | Error> {
  const { orders } = context.remote.desk

  const paid = await orders.pay({ query: { id: order }, input: { cents } })
  if (paid instanceof Error) return paid

  const seen = await orders.look({ query: { id: order, projection: ['total'] } })
  const twice: number = await orders.sum({ input: { price: seen?.total ?? 0, units: 10 } })

  const late: string[] = await orders.late({ query: { criteria: 'stage==open', limit: 10, sort: ['total:desc'] } })
  const swept: number = await orders.sweep({ query: { ids: late } })
  await orders.amend({ query: { id: order }, input: { total: swept } })

  // A task answers null, whatever the operation would.
  const handed: null = await orders.pay({ query: { id: order }, input: { cents }, task: true })

  const note = await context.remote.notes.write({ query: { id: paid.customer }, input: { text: `${twice} ${handed}` } })
  await context.atom.lock(order, () => context.local.settle({ input: { order, cents }, task: true }))

  return note.text
}
