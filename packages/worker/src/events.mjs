// The events of a component that have code: what one change makes them announce.
//
// (1) Each has the change to itself: what one does to it, no other sees.
// (2) They run one after another, and the first that throws ends the run: a change announces all of its events or none.
// (3) None may call an operation. They run again for the same change, and say the same again.

import { Blamed } from './exceptions.mjs'
import { conclude, sendOutput } from './outcome.mjs'
import { pure } from './pure.mjs'
import { isThenable } from './thenable.mjs'
import { toJson } from './values.mjs'

const unmet = Symbol('unmet')

export class Events {
  #events // { name, about, condition, payload }
  #context
  #channel

  constructor (events, Context, channel) {
    this.#events = events.map((event) => ({ about: `Event '${event.name}'`, ...event }))
    this.#context = new Context(pure('an event'))
    this.#channel = channel
  }

  /** Runs once, like an operation. */
  start (run, change, _, ended) {
    conclude(this.#channel, run, () => this.#announced(change), (text) => sendOutput(this.#channel, run, 0, text), ended)
  }

  /** The JSON text of the object from names to payloads. */
  #announced (change) {
    const { state, origin = null, input = null, trailers } = change
    const event = { state, origin, input, trailers: trailers ?? {} }
    const copy = this.#events.length > 1 ? JSON.stringify(event) : null

    return this.#from(0, event, copy, '')
  }

  #from (first, event, copy, members) {
    for (let i = first; i < this.#events.length; i++) {
      const own = i === 0 ? event : JSON.parse(copy)
      const payload = this.#payload(this.#events[i], own)

      if (isThenable(payload)) {
        return payload.then((value) => this.#from(i + 1, event, copy, members + this.#member(this.#events[i], value)))
      }

      members += this.#member(this.#events[i], payload)
    }

    return `{${members.slice(1)}}`
  }

  /** Nothing as a payload is null: the event is announced, and a name without a value would be lost. */
  #member ({ name }, payload) {
    return payload === unmet ? '' : `,${JSON.stringify(name)}:${toJson(payload, name) ?? 'null'}`
  }

  /** The payload, or `unmet`; a promise of it where the author's code gave one. */
  #payload ({ about, condition, payload }, event) {
    const fail = (thrown) => { throw new Blamed(about, thrown) }
    const make = () => (payload === undefined ? event.state : payload(event, this.#context))

    try {
      const met = condition === undefined || condition(event, this.#context)

      if (isThenable(met)) return Promise.resolve(met).then((value) => (value ? make() : unmet)).catch(fail)
      if (!met) return unmet

      const made = make()

      return isThenable(made) ? Promise.resolve(made).catch(fail) : made
    } catch (thrown) {
      return fail(thrown)
    }
  }
}
