// The context that an author's function gets: a small object per run over what the component's runs share.

import { inspect } from 'node:util'
import { Atom } from './atom.mjs'
import { requestContract } from './exceptions.mjs'
import { fetchWithRetry } from './fetch.mjs'
import { newId } from './ids.mjs'
import { Stash } from './stash.mjs'

const missing = ['delay', 'storages', 'span', 'metrics', 'aspects']
const run = Symbol('run')

/**
 * Makes the class of a component's contexts. `new Context(currentRun)` takes a function, since the context given to
 * `mount` outlives a run: it answers the run that is asking now, or null.
 *
 * Members are read from the context each time, also by `const { remote, id } = context`: none may need `this`.
 */
export function contextClass ({ application, component, configuration, directory, logs, asks }) {
  const { name, env, region, instance, clock_ms: shift = 0 } = application
  const now = () => Date.now() + shift
  const id = () => newId(now())
  const random = () => Math.random()
  const own = componentLogs(component.id, logs)
  const state = component.state === true ? {} : undefined

  class Context {
    constructor (currentRun) {
      this[run] = currentRun
    }

    get remote () {
      return directory.remote(callerOf(this[run]))
    }

    get local () {
      return directory.local(component.id, callerOf(this[run]))
    }

    get fetch () {
      const leave = leaveOf(this[run])

      return (input, options) => {
        const settled = leave()

        return settled === undefined ? fetchWithRetry(input, options) : settled.then(() => fetchWithRetry(input, options))
      }
    }

    get atom () {
      return new Atom(asks, component.id, leaveOf(this[run]))
    }

    get stash () {
      if (component.stash !== true) throw undeclared('stash', component.id)

      return new Stash(asks, component.id, leaveOf(this[run]))
    }

    /** One object for all runs of the component in this process. */
    get state () {
      if (state === undefined) throw undeclared('state', component.id)

      return state
    }

    get id () { return id }
    get now () { return now }
    get random () { return random }
    get name () { return name }
    get env () { return env }
    get region () { return region }
    get instance () { return instance }
    get configuration () { return configuration }
    get logs () { return own }

    [inspect.custom] () {
      return `Context of ${component.id}`
    }
  }

  for (const member of missing) {
    Object.defineProperty(Context.prototype, member, {
      get () {
        throw new Error(`context.${member} is not available in this version of Toa`)
      }
    })
  }

  return Context
}

const runOf = (currentRun) => (typeof currentRun === 'function' ? currentRun() : currentRun)

/** Gives up the turn of the run that is asking, where there is one; a promise where it has to be waited for. */
const leaveOf = (currentRun) => () => runOf(currentRun)?.leave()

const undeclared = (member, component) =>
  new Error(`context.${member} is there once the manifest of '${component}' declares it: add '${member}: ~'`)

function callerOf (currentRun) {
  return (where, endpoint, request, options) => {
    const run = runOf(currentRun)

    if (run === null) {
      return Promise.reject(new Error(`'${endpoint}' was called outside of a run: calls are made while an operation runs`))
    }

    if (options !== undefined) {
      return Promise.reject(requestContract(`'${endpoint}' was called with options, which only stateful operations have`))
    }

    return run.call(where, endpoint, request)
  }
}

function componentLogs (component, logs) {
  const writer = (severity) => (message, attributes) => {
    if (logs.admits()) logs.write(component, severity, typeof message === 'string' ? message : inspect(message), attributes)
  }

  return Object.freeze({ debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') })
}
