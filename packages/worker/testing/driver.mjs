// The program's end of the bridge: starts the bundled worker over a socket pair and speaks the protocol.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { encodeFrame, FrameReader } from '../src/frames.mjs'

const bundle = process.env.TOA_WORKER ?? fileURLToPath(new URL('../dist/worker.mjs', import.meta.url))

export class Driver {
  received = [] // messages with their documents as texts in place of lengths
  #waiting = []
  #nextRun = 0
  onMessage = null

  constructor ({ node = process.env.TOA_NODE ?? process.execPath } = {}) {
    this.started = performance.now()
    this.child = spawn(node, [bundle], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: { ...process.env, TOA_BRIDGE_FD: '3' } })
    this.socket = this.child.stdio[3]
    this.stdout = ''
    this.stderr = ''
    this.child.stdout.on('data', (text) => { this.stdout += text })
    this.child.stderr.on('data', (text) => { this.stderr += text })
    this.exited = once(this.child, 'exit').then(([status, signal]) => {
      for (const { reject } of this.#waiting) reject(new Error(`The worker left (${status ?? signal}): ${this.stderr}`))

      return status ?? signal
    })

    const reader = new FrameReader((head, body) => this.#receive(head, body))

    this.socket.on('data', (chunk) => reader.push(chunk))
    this.socket.on('error', () => {})
  }

  #receive (head, body) {
    let at = 0
    const take = (bytes) => (bytes < 0 ? undefined : body.utf8Slice(at, at += bytes))
    const first = { loaded: 1, done: 4, call: 5, query: 3, part: 2, log: 4 }

    for (const message of head) {
      for (let i = first[message[0]] ?? message.length; i < message.length; i++) message[i] = take(message[i])

      if (this.onMessage !== null) this.onMessage(message)
      else this.#keep(message)
    }

    if (at !== body.length) throw new Error('The documents do not fill the body')
  }

  #keep (message) {
    const index = this.#waiting.findIndex(({ matches }) => matches(message))

    if (index === -1) this.received.push(message)
    else this.#waiting.splice(index, 1)[0].resolve(message)
  }

  /** Sends messages in one frame; a document stands in its place as `{ json }`. */
  send (...messages) {
    const documents = []
    let bytes = 0

    const heads = messages.map((message) => JSON.stringify(message.map((element) => {
      if (typeof element !== 'object' || element === null) return element

      const length = Buffer.byteLength(element.json)

      documents.push(element.json)
      bytes += length

      return length
    })))

    this.socket.write(encodeFrame(heads, documents, bytes))
  }

  /** The first message, received or to come, that fits. */
  next (matches) {
    const fits = typeof matches === 'string' ? (message) => message[0] === matches : matches
    const index = this.received.findIndex(fits)

    if (index !== -1) return Promise.resolve(this.received.splice(index, 1)[0])

    return new Promise((resolve, reject) => this.#waiting.push({ matches: fits, resolve, reject }))
  }

  async load (application) {
    this.send(['load', json(application)])

    return JSON.parse((await this.next('loaded'))[1])
  }

  start (operation, input, state, flags = 0) {
    const run = this.#nextRun++

    this.send(['run', run, operation, json(input), json(state), flags])

    return run
  }

  async done (run) {
    const [, , kind, flags, reply, state, trailers] = await this.next((message) => message[0] === 'done' && message[1] === run)

    return { kind, flags, reply: parse(reply), state: parse(state), trailers: parse(trailers) }
  }

  run (operation, input, state) {
    return this.done(this.start(operation, input, state))
  }

  async call (run) {
    const [, , call, where, endpoint, request] = await this.next((message) => message[0] === 'call' && message[1] === run)

    return { call, where, endpoint, request: parse(request) }
  }

  answer (run, call, kind, value) {
    this.send(['answer', run, call, kind, json(value)])
  }

  /** Answers `settle`; with what is thrown where the state was taken back. */
  settled (run, exception) {
    this.send(['settled', run, json(exception)])
  }

  close () {
    this.socket.destroy()

    return this.exited
  }
}

export const json = (value) => (value === undefined ? -1 : { json: JSON.stringify(value) })
const parse = (text) => (text === undefined ? undefined : JSON.parse(text))
