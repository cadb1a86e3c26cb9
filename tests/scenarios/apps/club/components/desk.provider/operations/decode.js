import { createHmac } from 'node:crypto'

// Without a key the provider is a stand-in for tests: whatever it says is believed.
export async function effect ({ body, signature }, { configuration, local }) {
  const key = configuration.key.unwrap()

  if (key !== '' && signature !== createHmac('sha256', key).update(body).digest('hex')) return new Error('FORGED')

  const { type, checkout } = JSON.parse(body)

  if (type !== 'payment') return { type }

  const payment = await local.checkout({ input: { checkout } })

  return payment instanceof Error ? payment : { type, payment }
}
