// `context.atom`: what the component's runs do one at a time, in whichever worker they are.

import { inspect } from 'node:util'

export class Atom {
  #asks
  #component
  #leave

  /** `leave()` gives up the turn of the run that asks: it is about to wait. It waits for the promise, where one is returned. */
  constructor (asks, component, leave) {
    this.#asks = asks
    this.#component = component
    this.#leave = leave
  }

  /** Runs `fn` while nobody else of the component holds `key`, and resolves to what it returns. */
  async lock (key, fn) {
    if (typeof key !== 'string') throw new TypeError(`The key of a lock is a string, not ${inspect(key)}`)
    if (typeof fn !== 'function') throw new TypeError(`context.atom.lock('${key}', fn) takes a function to run while the lock is held`)

    const settled = this.#leave()

    if (settled !== undefined) await settled

    const { number, answered } = this.#asks.ask({ component: this.#component, what: 'lock', key })

    await answered

    try {
      return await fn()
    } finally {
      // Nobody waits for the answer: whatever is asked after it is answered after it.
      this.#asks.ask({ component: this.#component, what: 'release', key, ask: number }).answered.catch(() => {})
    }
  }

  [inspect.custom] () {
    return `Atom of ${this.#component}`
  }
}
