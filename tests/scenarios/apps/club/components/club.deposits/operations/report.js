import { createHash } from 'node:crypto'

export async function effect (input, { local }) {
  const id = createHash('sha256').update(input.payment).digest('hex').slice(0, 32)

  await local.record({ query: { id }, input })
}
