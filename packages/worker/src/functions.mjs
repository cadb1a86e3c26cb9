// The functions that the module of an event or of a receiver exports.

import { DiscoveryError, isClass, kindOf, listed } from './discover.mjs'

/** `{ condition, payload }`, one of which may be undefined. */
export function discoverEvent (exported) {
  return functionsOf(exported, 'an event', ['condition', 'payload'])
}

/** `{ condition, request }`, one of which may be undefined. */
export function discoverReceiver (exported) {
  return functionsOf(exported, 'a receiver', ['condition', 'request'])
}

function functionsOf (exported, what, names) {
  const found = names.filter((name) => exported[name] !== undefined)

  if (found.length === 0) {
    const exports = Object.keys(exported)
    const has = exports.length === 0 ? 'exports nothing' : `exports ${listed(exports)}`

    throw new DiscoveryError(`${has}, but ${what} exports the function '${names[0]}', '${names[1]}' or both`)
  }

  for (const name of found) {
    const value = exported[name]
    const kind = typeof value !== 'function' ? kindOf(value) : isClass(value) ? 'a class' : null

    if (kind !== null) throw new DiscoveryError(`exports '${name}' that is ${kind}, but it must be a function`)
  }

  return Object.fromEntries(names.map((name) => [name, exported[name]]))
}
