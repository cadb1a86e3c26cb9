// New identifiers: UUIDv7 as 32 lower-case hexadecimal digits.

import { createRequire } from 'node:module'
import { idRandomBytes } from './limits.mjs'

const perId = 10
const pool = Buffer.allocUnsafe(idRandomBytes)
let taken = pool.length
let crypto

export function newId (now) {
  if (taken + perId > pool.length) refill()

  pool[taken] = 0x70 | (pool[taken] & 0x0f) // version 7
  pool[taken + 2] = 0x80 | (pool[taken + 2] & 0x3f) // the variant

  const id = now.toString(16).padStart(12, '0') + pool.hexSlice(taken, taken + perId)

  taken += perId

  return id
}

function refill () {
  crypto ??= createRequire(import.meta.url)('node:crypto') // 5 ms to load: not at start
  crypto.randomFillSync(pool)
  taken = 0
}
