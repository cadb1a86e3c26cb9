// `context.remote` and `context.local`: names that turn into calls as they are read.
//
// Neither may look like a promise: `await context.remote` has to end.

import { noEndpoint } from './exceptions.mjs'

const silent = new Set(['then', 'catch', 'finally', 'toJSON', 'constructor', 'prototype', 'valueOf', 'toString', 'inspect'])

/** The components of an application, by the names that authors use. */
export class Directory {
  #namespaces = new Map() // namespace to Map of name to component id
  #bare = new Map() // name of a component without a namespace to its id
  #operations = new Set()

  constructor (components, endpoints) {
    for (const { id } of components) this.#add(id.split('.'))

    for (const endpoint of endpoints) {
      this.#operations.add(endpoint)
      this.#add(endpoint.split('.').slice(0, -1))
    }
  }

  #add (segments) {
    const id = segments.join('.')
    const [namespace, name] = segments.length === 1 ? ['default', segments[0]] : segments

    if (namespace === 'default') this.#bare.set(name, this.#bare.get(name) ?? id)
    if (!this.#namespaces.has(namespace)) this.#namespaces.set(namespace, new Map())
    if (!this.#namespaces.get(namespace).has(name)) this.#namespaces.get(namespace).set(name, id)
  }

  /** `remote` for one run; `call(where, endpoint, request)` makes the call. */
  remote (call) {
    return names((first) => {
      const names = this.#namespaces.get(first)
      const bare = this.#bare.get(first)

      if (names === undefined && bare === undefined) {
        throw noEndpoint(`There is no component or namespace '${first}' in this application`)
      }

      if (names === undefined) return this.#component(bare, 'remote', call)

      return this.#namespace(first, names, bare, call)
    })
  }

  #namespace (namespace, components, bare, call) {
    return names((second) => {
      const id = components.get(second)

      if (id !== undefined && bare !== undefined && this.#operations.has(`${bare}.${second}`)) {
        return this.#component(id, 'remote', call, caller('remote', `${bare}.${second}`, call)) // both are meant
      }

      if (id !== undefined) return this.#component(id, 'remote', call)
      if (bare !== undefined) return caller('remote', `${bare}.${second}`, call)

      throw noEndpoint(`There is no component '${namespace}.${second}' in this application`)
    })
  }

  local (id, call) {
    return this.#component(id, 'local', call)
  }

  #component (id, where, call, target) {
    return names((operation) => caller(where, `${id}.${operation}`, call), target)
  }
}

function names (resolve, target = Object.create(null)) {
  return new Proxy(target, {
    get: (_, name) => (typeof name === 'symbol' || silent.has(name) ? undefined : resolve(name)),
    set: (_, name) => { throw new TypeError(`'${String(name)}' cannot be set: these are names of operations`) }
  })
}

function caller (where, endpoint, call) {
  return (request, options) => call(where, endpoint, request, options)
}
