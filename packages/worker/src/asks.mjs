// Questions to the program that are no calls: they need no run, and nobody else's code answers them.

import { RuntimeException } from './exceptions.mjs'
import { asksMax } from './limits.mjs'

export class Asks {
  #channel
  #next = 0
  #waiting = new Map() // of a question's number to { resolve, reject }

  constructor (channel) {
    this.#channel = channel
  }

  /** Asks; `{ number, answered }`, where `answered` is the promise of the answer. */
  ask (question) {
    if (this.#waiting.size >= asksMax) {
      throw new RangeError(`More than ${asksMax} locks and accesses to the stash wait for an answer: await some before making more`)
    }

    const number = this.#next++
    const text = JSON.stringify(question)
    const bytes = Buffer.byteLength(text)
    const answered = new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }))

    this.#channel.send(`["ask",${number},${bytes}]`, [text], bytes)

    return { number, answered }
  }

  answer (number, kind, value) {
    const waiting = this.#waiting.get(number)

    this.#waiting.delete(number)

    if (kind === 'output') waiting?.resolve(value)
    else waiting?.reject(new RuntimeException(value))
  }
}
