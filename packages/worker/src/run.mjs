// One invocation: what is known of it while it runs, and the calls that it waits for.

import { inspect } from 'node:util'
import { CodedError, RuntimeException } from './exceptions.mjs'
import { runCallsMax } from './limits.mjs'
import { requestJson } from './request.mjs'

export class Run {
  #channel
  #calls = 0
  #waiting = null // Map of call to { resolve, reject }, made with the first call
  #left = false
  #ended = false

  constructor (id, channel) {
    this.id = id
    this.#channel = channel
  }

  /** Calls an operation. Never throws: what goes wrong rejects. */
  call (where, endpoint, request) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new Error(`'${endpoint}' was called after the operation had returned: await what it starts`)

      const text = requestJson(request, `'${endpoint}'`)

      this.#waiting ??= new Map()

      if (this.#waiting.size >= runCallsMax) {
        throw new RangeError(`More than ${runCallsMax} calls wait for an answer: await some before making more`)
      }

      const call = this.#calls++
      const head = `["call",${this.id},${call},"${where}",${JSON.stringify(endpoint)},`

      this.#waiting.set(call, { resolve, reject })

      if (text === undefined) return this.#channel.send(head + '-1]')

      const bytes = Buffer.byteLength(text)

      this.#channel.send(head + bytes + ']', [text], bytes)
    })
  }

  /** Settles a call. An answer that nobody waits for is dropped. */
  answer (call, kind, value) {
    const waiting = this.#waiting?.get(call)

    if (waiting === undefined) return

    this.#waiting.delete(call)

    if (kind === 'output') waiting.resolve(value)
    else if (kind === 'error') waiting.resolve(new CodedError(value.code, value.cause))
    else waiting.reject(new RuntimeException(value))
  }

  /** Gives up the turn on the object: the run is about to wait for something outside. */
  leave () {
    if (this.#left || this.#ended) return

    this.#left = true
    this.#channel.send(`["leave",${this.id}]`)
  }

  end () {
    this.#ended = true
    this.#waiting = null
  }

  [inspect.custom] () {
    return `Run ${this.id}`
  }
}
