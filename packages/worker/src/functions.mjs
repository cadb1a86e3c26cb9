// The functions that the module of an event, of a receiver or of a guard exports.

import { DiscoveryError, isClass, kindOf, listed } from './discover.mjs'

/** `{ condition, payload }`, one of which may be undefined. */
export function discoverEvent (exported) {
  return functionsOf(exported, 'an event', ['condition', 'payload'])
}

/** `{ condition, request }`, one of which may be undefined. */
export function discoverReceiver (exported) {
  return functionsOf(exported, 'a receiver', ['condition', 'request'])
}

const stages = ['preflight', 'settle', 'ready', 'pause', 'resume', 'dispose']

/** Those of the stages that it has, each undefined or a function. */
export function discoverCommand (exported) {
  const found = functionsOf(exported, 'a run command', stages)

  if (found.pause !== undefined && found.resume === undefined) {
    throw new DiscoveryError("exports 'pause' without 'resume': what a halt pauses, something has to resume")
  }

  return found
}

/** `{ guard }`. */
export function discoverGuard (exported) {
  const found = functionsOf(exported, 'a guard', ['guard'])

  if (found.guard.constructor.name === 'AsyncFunction') {
    throw new DiscoveryError("exports 'guard' that is async, but a guard answers at once: what it needs to know stands in the state")
  }

  return found
}

function wanted (names) {
  const [first, second] = names

  if (names.length === 1) return `the function '${first}'`
  if (names.length === 2) return `the function '${first}', '${second}' or both`

  return `at least one of the functions ${names.map((name) => `'${name}'`).join(', ')}`
}

function functionsOf (exported, what, names) {
  const found = names.filter((name) => exported[name] !== undefined)

  if (found.length === 0) {
    const exports = Object.keys(exported)
    const has = exports.length === 0 ? 'exports nothing' : `exports ${listed(exports)}`

    throw new DiscoveryError(`${has}, but ${what} exports ${wanted(names)}`)
  }

  for (const name of found) {
    const value = exported[name]
    const kind = typeof value !== 'function' ? kindOf(value) : isClass(value) ? 'a class' : null

    if (kind !== null) throw new DiscoveryError(`exports '${name}' that is ${kind}, but it must be a function`)
  }

  return Object.fromEntries(names.map((name) => [name, exported[name]]))
}
