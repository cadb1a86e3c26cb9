// `context.stash`: a cache that the component's runs share, in whichever worker they are.
//
// The commands are those of Redis under the same names, with texts as values; `store` and `fetch` keep anything that JSON can hold.

import { inspect } from 'node:util'
import { toJson } from './values.mjs'

export class Stash {
  #asks
  #component
  #leave

  /** `leave()` gives up the turn of the run that asks: it is about to wait. It waits for the promise, where one is returned. */
  constructor (asks, component, leave) {
    this.#asks = asks
    this.#component = component
    this.#leave = leave
  }

  /** The text, or null. */
  get (key) {
    return this.#ask('get', key)
  }

  /** Sets a text; `'OK'`, or null where NX or XX kept it from being set. `options` are those of Redis: 'EX', 60, 'NX'. */
  async set (key, value, ...options) {
    return (await this.#set(key, textOf(value), options)) ? 'OK' : null
  }

  /** How many of the keys were there. */
  del (...keys) {
    return this.#count('del', keys, (there) => there)
  }

  exists (...keys) {
    return this.#count('get', keys, (value) => value !== null)
  }

  incr (key) {
    return this.incrby(key, 1)
  }

  decr (key) {
    return this.incrby(key, -1)
  }

  incrby (key, by) {
    return this.#ask('add', key, { by: whole(by, 'what is added') })
  }

  decrby (key, by) {
    return this.incrby(key, -by)
  }

  expire (key, seconds) {
    return this.pexpire(key, whole(seconds, 'seconds') * 1000)
  }

  /** 1 where the key was there, else 0. */
  async pexpire (key, ms) {
    return (await this.#ask('expire', key, { ms: whole(ms, 'milliseconds') })) ? 1 : 0
  }

  /** Seconds left; -1 where the key stays, -2 where it is not there. */
  async ttl (key) {
    const ms = await this.pttl(key)

    return ms < 0 ? ms : Math.round(ms / 1000)
  }

  pttl (key) {
    return this.#ask('ttl', key)
  }

  /** Keeps a value as JSON; options as those of `set`. */
  async store (key, value, ...options) {
    return (await this.#set(key, toJson(value, 'value') ?? 'null', options)) ? 'OK' : null
  }

  /** A value that `store` kept, or null. */
  async fetch (key) {
    const text = await this.get(key)

    return text === null ? null : JSON.parse(text)
  }

  #set (key, value, options) {
    return this.#ask('set', key, { value, ...optionsOf(options) })
  }

  async #count (what, keys, counts) {
    const answers = await Promise.all(keys.flat().map((key) => this.#ask(what, key)))

    return answers.filter(counts).length
  }

  async #ask (what, key, more) {
    if (typeof key !== 'string') throw new TypeError(`A key of the stash is a string, not ${inspect(key)}`)

    const settled = this.#leave()

    if (settled !== undefined) await settled

    return await this.#asks.ask({ component: this.#component, what, key, ...more }).answered
  }

  [inspect.custom] () {
    return `Stash of ${this.#component}`
  }
}

function textOf (value) {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)

  throw new TypeError(`context.stash.set takes a string or a number, not ${inspect(value, { depth: 0 })}: 'store' keeps other values`)
}

function whole (value, what) {
  const number = typeof value === 'string' ? Number(value) : value

  if (Number.isSafeInteger(number)) return number

  throw new TypeError(`${what} must be a whole number, not ${inspect(value)}`)
}

const times = { EX: 1000, PX: 1 }
const conditions = { NX: 'absent', XX: 'present' }

function optionsOf (given) {
  const options = {}

  for (let i = 0; i < given.length; i++) {
    const option = String(given[i]).toUpperCase()

    if (Object.hasOwn(times, option)) options.ms = positive(given[++i], option) * times[option]
    else if (Object.hasOwn(conditions, option)) options.if = conditions[option]
    else throw new TypeError(`The stash has no option ${inspect(given[i])}: it takes 'EX', seconds; 'PX', milliseconds; 'NX'; 'XX'`)
  }

  return options
}

function positive (value, option) {
  const number = whole(value, `what follows '${option}'`)

  if (number > 0) return number

  throw new RangeError(`What follows '${option}' must be above 0, not ${number}`)
}
