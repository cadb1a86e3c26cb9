import { passed } from './lib/gate.js'

/** Reads, waits until it is let through, then writes what it has read before. */
export async function transition (_, entry, { logs }) {
  logs.info('Held')
  await passed()
  entry.balance += 100

  return { balance: entry.balance }
}
