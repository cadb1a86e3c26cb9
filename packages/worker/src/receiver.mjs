// The adapter of a received event: turns its payload into a request, or says that there is nothing to do.

import { conclude, discardFlag, sendOutput } from './outcome.mjs'
import { requestJson } from './request.mjs'
import { isThenable } from './thenable.mjs'
import { toJson } from './values.mjs'

const unmet = Symbol('unmet')

export class Receiver {
  #event
  #condition
  #request
  #channel

  constructor (event, { condition, request }, channel) {
    this.#event = event
    this.#condition = condition
    this.#request = request
    this.#channel = channel
  }

  /** Runs once, like an operation; `args` follow the payload in what `request` is given. */
  start (run, payload, args, ended) {
    const send = (request) => {
      if (request === unmet) sendOutput(this.#channel, run, discardFlag)
      else sendOutput(this.#channel, run, 0, this.#json(request))
    }

    conclude(this.#channel, run, () => this.#made(payload, args ?? []), send, ended)
  }

  #made (payload, args) {
    const make = () => (this.#request === undefined ? { input: payload } : this.#request(payload, ...args))
    const met = this.#condition === undefined || this.#condition(payload)

    if (isThenable(met)) return Promise.resolve(met).then((value) => (value ? make() : unmet))

    return met ? make() : unmet
  }

  #json (request) {
    if (this.#request === undefined) return toJson(request, 'request')

    return requestJson(request ?? null, `receiver '${this.#event}'`) ?? 'null'
  }
}
