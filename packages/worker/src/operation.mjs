// An operation ready to run: calls the author's function with the arguments that its scope asks for.

import { AsyncLocalStorage } from 'node:async_hooks'
import { Client } from './client.mjs'
import { Collection, collectionMark } from './collection.mjs'
import { conclude, sendReturned } from './outcome.mjs'
import { mark } from './state.mjs'
import { isStream, sendParts } from './stream.mjs'
import { isThenable } from './thenable.mjs'

export class Operation {
  #found
  #Context
  #channel
  #mounting = null
  #current = null // which run asks, for the context of `mount`; made only where there is one: it slows every promise

  constructor (found, Context, channel) {
    this.#found = found
    this.#Context = Context
    this.#channel = channel
  }

  /** Runs once. `ended(run)` is called after the outcome was sent; nothing is ever thrown. */
  start (run, input, state, ended) {
    const { type, run: { mount } } = this.#found

    const stores = type === 'transition' || type === 'assignment'

    if (stores) mark(state)

    const execute = () => (mount === undefined ? this.#execute(run, input, state) : this.#executeMounted(run, input, state))
    const make = stores ? execute : () => replied(run, execute())
    const send = (reply) => sendReturned(this.#channel, run, type, state, reply)

    conclude(this.#channel, run, make, send, ended)
  }

  #execute (run, input, state) {
    const { type, scope, run: target } = this.#found
    const context = new this.#Context(run)

    if (type === 'unmanaged') return target.execute(input, new Client(run), context)

    // A document is there wherever the scope is not none, also where a manifest says the scope that the code hides.
    if (state === undefined && (scope === 'none' || scope === null)) return target.execute(input, context)

    return target.execute(input, state === collectionMark ? new Collection(run) : state ?? null, context)
  }

  async #executeMounted (run, input, state) {
    this.#current ??= new AsyncLocalStorage()

    return await this.#current.run(run, async () => {
      await this.#mount()

      return await this.#execute(run, input, state)
    })
  }

  /** Mounts once; where that fails, the next run tries again. */
  #mount () {
    this.#mounting ??= Promise.resolve(this.#found.run.mount(new this.#Context(() => this.#current.getStore() ?? null)))
      .catch((error) => {
        this.#mounting = null
        throw error
      })

    return this.#mounting
  }

  async unmount () {
    const { run } = this.#found

    if (run.unmount === undefined || (run.mount !== undefined && this.#mounting === null)) return

    await run.unmount()
  }
}

/** What was returned; or, of a stream, its parts are sent first. */
function replied (run, made) {
  if (isThenable(made)) return Promise.resolve(made).then((value) => (isStream(value) ? sendParts(run, value) : value))

  return isStream(made) ? sendParts(run, made) : made
}
