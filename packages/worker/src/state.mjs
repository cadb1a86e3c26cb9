// DISCARD and TRAILERS: how a transition says, on the state it was given, what to do with it.
//
// They are properties of the object, yet no part of it: neither JSON, nor a spread, nor `Object.keys` sees them.

import { inspect } from 'node:util'
import { toJson } from './values.mjs'

/** Adds the marks to the state of a transition or an assignment: an object, or a list of objects. */
export function mark (state) {
  if (Array.isArray(state)) for (const entry of state) markOne(entry)

  markOne(state)
}

function markOne (state) {
  if (typeof state !== 'object' || state === null) return

  trailers.value = {}
  Object.defineProperty(state, 'DISCARD', discard)
  Object.defineProperty(state, 'TRAILERS', trailers)
}

// One of each for all objects: to make them anew took as long as the marks themselves.
const discard = { __proto__: null, value: false, writable: true, enumerable: false, configurable: true }
const trailers = { __proto__: null, value: {}, writable: true, enumerable: false, configurable: true }

/** Throws where the author set it to something else than a boolean: it would be stored where a discard was meant. */
export function isDiscarded (state) {
  const mark = state?.DISCARD ?? false

  if (typeof mark !== 'boolean') throw new TypeError(`DISCARD must be true or false, and is ${inspect(mark, { depth: 0 })}`)

  return mark
}

/** Whether an object of the list is to be left out of the write. */
export function hasDiscarded (entries) {
  return entries.some(isDiscarded)
}

/** What is to be stored: of a list, a discarded object stands as null, so that places keep their meaning. */
export function stored (state) {
  return Array.isArray(state) && hasDiscarded(state) ? state.map((entry) => (isDiscarded(entry) ? null : entry)) : state
}

/** The JSON text of the trailers, or undefined where there are none; for a list, one element per object. */
export function trailersJson (state) {
  if (!Array.isArray(state)) return isBlank(state.TRAILERS) ? undefined : toJson(state.TRAILERS, 'TRAILERS')

  if (isBlank(state.TRAILERS) && state.every((entry) => isBlank(entry?.TRAILERS))) return undefined

  return toJson(state.map((entry) => ({ ...state.TRAILERS, ...entry?.TRAILERS })), 'TRAILERS')
}

function isBlank (trailers) {
  if (typeof trailers !== 'object' || trailers === null) return trailers === undefined || trailers === null

  for (const key in trailers) {
    if (trailers[key] !== undefined) return false
  }

  return true
}
