// What JSON can hold. A value is checked before it is written, since JSON.stringify would silently lose or change it.
//
// Checking walks the value twice only where it is wrong: first fast, without paths, then again to name the place.

import { types } from 'node:util'
import { documentBytesMax, valueDepthMax, valuePartsMax } from './limits.mjs'

export class ValueError extends TypeError {
  get name () {
    return 'ValueError'
  }
}

let parts = 0 // visited by the check at hand

/** The JSON text of a value, or undefined for undefined. Throws a ValueError that names the place. */
export function toJson (value, name) {
  if (value === undefined) return undefined

  parts = 0

  if (!holds(value, 0)) refuse(value, name)

  const text = JSON.stringify(value)

  if (text !== undefined && text.length > documentBytesMax / 3 && Buffer.byteLength(text) > documentBytesMax) {
    throw new ValueError(`${name} is larger than ${documentBytesMax} bytes, the most that one document may have`)
  }

  return text
}

function holds (value, depth) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return value - value === 0 // neither NaN nor an infinity
    case 'object':
      return value === null || objectHolds(value, depth)
    default:
      return false
  }
}

function objectHolds (value, depth) {
  if (depth > valueDepthMax || ++parts > valuePartsMax) return false

  if (typeof value.toJSON === 'function') return holds(value.toJSON(''), depth + 1)

  if (Array.isArray(value)) {
    if ((parts += value.length) > valuePartsMax) return false

    for (let i = 0; i < value.length; i++) {
      if (!holds(value[i], depth + 1)) return false
    }

    return true
  }

  const prototype = Object.getPrototypeOf(value)

  if (prototype !== Object.prototype && prototype !== null && unheld(value) !== null) return false

  for (const key in value) {
    if (Object.hasOwn(value, key) && !holds(value[key], depth + 1)) return false
  }

  return true
}

/** What an object is that has no JSON form, or null. */
function unheld (value) {
  if (types.isMap(value)) return 'a Map'
  if (types.isSet(value)) return 'a Set'
  if (types.isWeakMap(value)) return 'a WeakMap'
  if (types.isWeakSet(value)) return 'a WeakSet'
  if (types.isPromise(value)) return 'a promise that was not awaited'
  if (types.isNativeError(value)) return 'an Error'
  if (types.isRegExp(value)) return 'a regular expression'
  if (types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value)) return 'binary data'
  if (types.isGeneratorObject(value)) return 'a generator'
  if (types.isBoxedPrimitive(value)) return holds(value.valueOf(), 0) ? null : 'a boxed value'

  return null
}

function refuse (value, name) {
  parts = 0
  search(value, name, [])

  throw new ValueError(`${name} has more than ${valuePartsMax} parts`)
}

/** Throws at the first place that does not hold; follows the same order as `holds`. */
function search (value, path, above) {
  const what = scalarFault(value)

  if (what !== null) throw new ValueError(`${path} is ${what}, which JSON cannot hold`)

  if (typeof value !== 'object' || value === null) return

  if (above.includes(value)) throw new ValueError(`${path} is a cycle, which JSON cannot hold`)
  if (above.length > valueDepthMax) throw new ValueError(`${cut(path)} is nested deeper than ${valueDepthMax} levels`)
  if (++parts > valuePartsMax) return

  above.push(value)

  if (typeof value.toJSON === 'function') {
    search(value.toJSON(''), path, above)
  } else if (Array.isArray(value)) {
    if ((parts += value.length) > valuePartsMax) return

    for (let i = 0; i < value.length; i++) search(value[i], `${path}[${i}]`, above)
  } else {
    const kind = unheld(value)

    if (kind !== null) throw new ValueError(`${path} is ${kind}, which JSON cannot hold`)

    for (const key of Object.keys(value)) search(value[key], path + property(key), above)
  }

  above.pop()
}

function scalarFault (value) {
  switch (typeof value) {
    case 'function': return 'a function'
    case 'symbol': return 'a symbol'
    case 'bigint': return 'a BigInt'
    case 'number': return Number.isNaN(value) ? 'NaN' : Number.isFinite(value) ? null : 'an infinity'
    default: return null
  }
}

function property (key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

function cut (path) {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}
