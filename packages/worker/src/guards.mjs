// The guards of a component: whether what is about to be stored may be.
//
// (1) `true` lets a change pass, and nothing else does.
// (2) Each has the change to itself, and what it does to it is lost.
// (3) The first that refuses or throws ends the run.

import { Blamed } from './exceptions.mjs'
import { conclude, sendOutput } from './outcome.mjs'
import { pure } from './pure.mjs'

export class Guards {
  #guards // { name, about, guard }
  #context
  #channel

  constructor (guards, Context, channel) {
    this.#guards = guards.map((guard) => ({ about: `Guard '${guard.name}'`, ...guard }))
    this.#context = new Context(pure('a guard'))
    this.#channel = channel
  }

  /** Runs once, like an operation; `changes` are those of one write. */
  start (run, changes, _, ended) {
    const send = (refusal) => sendOutput(this.#channel, run, 0, JSON.stringify(refusal))

    conclude(this.#channel, run, () => this.#refusal(changes), send, ended)
  }

  /** The first refusal, or null. */
  #refusal (changes) {
    for (const [place, change] of changes.entries()) {
      const copy = this.#guards.length > 1 ? JSON.stringify(change) : null

      for (const [i, guard] of this.#guards.entries()) {
        const { state, origin } = i === 0 ? change : JSON.parse(copy)

        if (!this.#passes(guard, state, origin ?? null)) return { guard: guard.name, change: place }
      }
    }

    return null
  }

  #passes ({ about, guard }, state, origin) {
    try {
      return guard(state, origin, this.#context) === true
    } catch (thrown) {
      throw new Blamed(about, thrown)
    }
  }
}
