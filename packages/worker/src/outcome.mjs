// What an author's function came to, as the message that ends its run.
//
// (1) Making the message may throw (a value that JSON cannot hold, a getter); then the run ends as that exception.
// (2) State leaves only where it may be stored, or where it is the reply.

import { describeThrown, isError } from './exceptions.mjs'
import { documentBytesMax } from './limits.mjs'
import { hasDiscarded, isDiscarded, stored, trailersJson } from './state.mjs'
import { isStream, streamed } from './stream.mjs'
import { isThenable } from './thenable.mjs'
import { toJson, ValueError } from './values.mjs'

export const discardFlag = 1
const stateFlag = 2
const streamFlag = 4

/**
 * Calls `make` and sends what it returned, at once or later, by `send`; what either throws ends the run as an exception.
 * `ended(run)` is called after that; nothing is ever thrown.
 */
export function conclude (channel, run, make, send, ended) {
  let made

  try {
    made = make()

    if (isThenable(made)) return void later(channel, run, made, send, ended)
  } catch (thrown) {
    return fail(channel, run, thrown, ended)
  }

  settle(channel, run, made, send, ended)
}

function later (channel, run, made, send, ended) {
  Promise.resolve(made).then((value) => settle(channel, run, value, send, ended), (thrown) => fail(channel, run, thrown, ended))
}

function settle (channel, run, made, send, ended) {
  try {
    send(made)
  } catch (error) {
    sendThrown(channel, run, error)
  }

  ended(run)
}

function fail (channel, run, thrown, ended) {
  sendThrown(channel, run, thrown)
  ended(run)
}

/** Sends what an operation returned. */
export function sendReturned (channel, run, type, state, reply) {
  if (typeof reply === 'object' && reply !== null) {
    if (isError(reply)) return sendError(channel, run, reply)

    if (isStream(reply)) throw new Error(`A reply that is a stream was returned by a type '${type}', which stores: return a value`)
  }

  if (reply === streamed) return sendOutput(channel, run, streamFlag)

  const writes = (type === 'transition' || type === 'assignment') && typeof state === 'object' && state !== null

  if (!writes) return sendOutput(channel, run, 0, toJson(reply, 'reply'))

  sendWritten(channel, run, type, state, reply)
}

function sendWritten (channel, run, type, state, reply) {
  const discarded = isDiscarded(state) || (Array.isArray(state) && state.length > 0 && state.every(isDiscarded))
  const partly = !discarded && Array.isArray(state) && hasDiscarded(state)
  const same = reply === state && type === 'transition'
  const flags = (discarded ? discardFlag : 0) + (same ? stateFlag : 0)

  sendOutput(
    channel, run, flags,
    same && !partly ? undefined : toJson(reply, 'reply'), // of a partly stored list, the rest is known only here
    !discarded || same ? toJson(partly ? stored(state) : state, 'state') : undefined,
    discarded || type !== 'transition' ? undefined : trailersJson(state)
  )
}

function sendError (channel, run, error) {
  const { message, cause } = error

  if (typeof message !== 'string' || message === '') throw error // it says nothing: not an answer

  send(channel, run, 'error', 0, JSON.stringify({ code: message, cause: parsed(toJson(cause, 'cause')) }))
}

const parsed = (json) => (json === undefined ? undefined : JSON.parse(json))

/** Sends the end of a run without an error; documents are JSON texts, undefined where there is none. */
export function sendOutput (channel, run, flags, reply, state, trailers) {
  send(channel, run, 'output', flags, reply, state, trailers)
}

/** Sends what the function threw. Never throws. */
export function sendThrown (channel, run, thrown) {
  send(channel, run, 'exception', 0, describeThrown(thrown))
}

function send (channel, run, kind, flags, reply, state, trailers) {
  const documents = []
  const replyBytes = measure(documents, reply)
  const stateBytes = measure(documents, state)
  const trailersBytes = measure(documents, trailers)
  const bytes = Math.max(replyBytes, 0) + Math.max(stateBytes, 0) + Math.max(trailersBytes, 0)

  if (bytes > documentBytesMax) throw new ValueError(`reply and state together are larger than ${documentBytesMax} bytes`)

  channel.send(`["done",${run.id},"${kind}",${flags},${replyBytes},${stateBytes},${trailersBytes}]`, documents, bytes)
}

/** Adds a text to the documents; its length, or -1 where there is none. */
function measure (documents, text) {
  if (text === undefined) return -1

  documents.push(text)

  return Buffer.byteLength(text)
}
