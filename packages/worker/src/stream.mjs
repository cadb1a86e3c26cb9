// Streamed replies: parts that leave while the operation still runs, and the same at the end of whoever called it.
//
// (1) Of one stream, at most `streamPartsMax` parts are under way to the program, and as many to its consumer.
// (2) A consumer that stops early ends the producer, at its next part.
// (3) The end of a run ends the streams that it was reading.

import { streamPartsMax } from './limits.mjs'
import { toJson } from './values.mjs'

export const isStream = (value) =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || typeof value.next === 'function')

/** Says that parts were sent: there is no other reply. */
export const streamed = Symbol('streamed')

/** Sends the parts of a reply as they come, as many as are wanted. */
export async function sendParts (run, reply) {
  const parts = Symbol.asyncIterator in reply || Symbol.iterator in reply ? reply : { [Symbol.iterator]: () => reply }

  run.begin()

  for await (const part of parts) {
    if (!(await run.part(toJson(part, 'part') ?? 'null'))) break
  }

  return streamed
}

/** How many parts may leave before one was taken. */
export class Credit {
  #left = streamPartsMax
  #wake = null
  #ended = false

  /** Answers false where no more are wanted. */
  async take () {
    while (this.#left === 0 && !this.#ended) await new Promise((resolve) => { this.#wake = resolve })

    this.#left--

    return !this.#ended
  }

  more () {
    this.#left++
    this.#woken()
  }

  end () {
    this.#ended = true
    this.#woken()
  }

  #woken () {
    this.#wake?.()
    this.#wake = null
  }
}

/** A streamed reply, as its caller reads it. It is read once. */
export class Stream {
  #parts = []
  #waiting = [] // of `next`: { resolve, reject }
  #over = null // { thrown } or {}
  #taken // tells that a part was
  #cancel

  constructor (taken, cancel) {
    this.#taken = taken
    this.#cancel = cancel
  }

  [Symbol.asyncIterator] () {
    return this
  }

  push (part) {
    if (this.#over !== null) return

    const waiting = this.#waiting.shift()

    if (waiting === undefined) return void this.#parts.push(part)

    this.#taken()
    waiting.resolve({ value: part, done: false })
  }

  /** After the last part; with what went wrong, where something did. */
  end (thrown) {
    if (this.#over !== null) return

    this.#over = thrown === undefined ? {} : { thrown }

    for (const waiting of this.#waiting.splice(0)) this.#finish(waiting)
  }

  next () {
    return new Promise((resolve, reject) => {
      if (this.#parts.length > 0) {
        if (this.#over === null) this.#taken()

        resolve({ value: this.#parts.shift(), done: false })
      } else if (this.#over !== null) {
        this.#finish({ resolve, reject })
      } else {
        this.#waiting.push({ resolve, reject })
      }
    })
  }

  return (value) {
    if (this.#over === null) this.#cancel()

    this.#parts = []
    this.end()

    return Promise.resolve({ value, done: true })
  }

  #finish ({ resolve, reject }) {
    const { thrown } = this.#over

    this.#over = {} // told once

    if (thrown === undefined) resolve({ value: undefined, done: true })
    else reject(thrown)
  }
}
