// One invocation: what is known of it while it runs, and the calls that it waits for.

import { inspect } from 'node:util'
import { CodedError, RuntimeException } from './exceptions.mjs'
import { runCallsMax } from './limits.mjs'
import { requestJson } from './request.mjs'
import { Credit, Stream } from './stream.mjs'
import { toJson } from './values.mjs'

export class Run {
  #channel
  #calls = 0
  #waiting = null // Map of call to { resolve, reject, stream? }, made with the first call
  #credit = null // of the parts of its own reply
  #early // the state that it was given is not durable yet
  #settling = null // { promise, resolve, reject }, once it was asked whether it is
  #left = false
  #ended = false

  constructor (id, channel, early = false) {
    this.id = id
    this.#channel = channel
    this.#early = early
  }

  get ended () {
    return this.#ended
  }

  /** Calls an operation. Never throws: what goes wrong rejects. */
  call (where, endpoint, request) {
    return this.#ask(`'${endpoint}' was called`, (call) => `["call",${this.id},${call},"${where}",${JSON.stringify(endpoint)}`,
      () => requestJson(request, `'${endpoint}'`))
  }

  /** Asks the storage: for rows, or for a page of what is selected. */
  query (question) {
    return this.#ask('The storage was asked', (call) => `["query",${this.id},${call}`, () => toJson(question, 'query'))
  }

  #ask (what, head, textOf) {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new Error(`${what} after the operation had returned: await what it starts`)

      const text = textOf()

      this.#waiting ??= new Map()

      if (this.#waiting.size >= runCallsMax) {
        throw new RangeError(`More than ${runCallsMax} calls wait for an answer: await some before making more`)
      }

      const call = this.#calls++

      this.#waiting.set(call, { resolve, reject })

      if (text === undefined) return this.#channel.send(`${head(call)},-1]`)

      const bytes = Buffer.byteLength(text)

      this.#channel.send(`${head(call)},${bytes}]`, [text], bytes)
    })
  }

  /** Settles a call, or ends its stream. An answer that nobody waits for is dropped. */
  answer (call, kind, value) {
    const waiting = this.#waiting?.get(call)

    if (waiting === undefined) return

    this.#waiting.delete(call)

    if (kind === 'output') waiting.stream === undefined ? waiting.resolve(value) : waiting.stream.end()
    else if (kind === 'error') settle(waiting, 'resolve', new CodedError(value.code, value.cause))
    else settle(waiting, 'reject', new RuntimeException(value))
  }

  /** The reply to a call is a stream: the caller can begin to read it. */
  opened (call) {
    const waiting = this.#waiting?.get(call)

    if (waiting === undefined) return

    const tell = (what) => () => { if (!this.#ended) this.#channel.send(`["${what}",${this.id},${call}]`) }

    waiting.stream = new Stream(tell('more'), tell('cancel'))
    waiting.resolve(waiting.stream)
  }

  arrived (call, part) {
    this.#waiting?.get(call)?.stream?.push(part)
  }

  /** Its own reply is a stream. */
  begin () {
    this.#channel.send(`["begin",${this.id}]`)
  }

  /** Sends one part; answers whether more are wanted. */
  async part (text) {
    if (!(await this.credit.take())) return false

    const bytes = Buffer.byteLength(text)

    this.#channel.send(`["part",${this.id},${bytes}]`, [text], bytes)

    return true
  }

  get credit () {
    return (this.#credit ??= new Credit())
  }

  /**
   * Gives up the turn on the object: the run is about to wait for something outside. A promise to wait for first where
   * the state that it was given is not durable yet: it rejects where that was taken back.
   */
  leave () {
    if (this.#early) return this.#settle()
    if (this.#left || this.#ended) return

    this.#left = true
    this.#channel.send(`["leave",${this.id}]`)
  }

  #settle () {
    if (this.#settling !== null) return this.#settling.promise
    if (this.#ended) return Promise.reject(new Error('The outside was reached after the operation had returned: await what it starts'))

    const settling = {}

    settling.promise = new Promise((resolve, reject) => Object.assign(settling, { resolve, reject }))
    this.#settling = settling
    this.#channel.send(`["settle",${this.id}]`)

    return settling.promise
  }

  /** What the run was given is durable; or it was taken back, and `exception` says so. */
  settled (exception) {
    if (exception !== undefined) return this.#settling.reject(new RuntimeException(exception))

    this.#early = false
    this.#left = true
    this.#settling.resolve()
  }

  end () {
    this.#ended = true

    for (const { stream } of this.#waiting?.values() ?? []) {
      stream?.end(new Error('A stream was read after the operation had returned: read it to its end, or return it'))
    }

    this.#waiting = null
  }

  [inspect.custom] () {
    return `Run ${this.id}`
  }
}

function settle ({ stream, ...waiting }, how, value) {
  if (stream === undefined) waiting[how](value)
  else stream.end(value)
}
