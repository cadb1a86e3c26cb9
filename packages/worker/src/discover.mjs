// What an operation's module exports: its type, its scope and how it is run.

import { secondParameter } from './signature.mjs'

const types = ['transition', 'observation', 'assignment', 'computation', 'effect', 'unmanaged']
const scopes = new Set(['entry', 'entries', 'changeset', 'stream'])
const stateful = new Set(['transition', 'observation', 'assignment'])
const classes = new Map(types.map((type) => [type[0].toUpperCase() + type.slice(1), type]))
const factory = new RegExp(`^(Entry|Entries|Changeset|Stream)?(${[...classes.keys()].join('|')})Factory$`)

/** A mistake of the author in what a module exports. */
export class DiscoveryError extends Error {}

/** Finds the operation in the exports of a module: `{ type, scope, form, run }`, where `run` holds `execute`. */
export async function discover (exported) {
  const names = Object.keys(exported)
  const found = names.filter((name) => types.includes(name) || classes.has(name) || factory.test(name))

  if (found.length === 0) throw new DiscoveryError(nothingFound(names))

  if (found.length > 1) {
    throw new DiscoveryError(`exports ${listed(found)}, but a file is one operation: keep one and move the others to files of their own`)
  }

  const [name] = found
  const value = exported[name]

  if (typeof value !== 'function') throw new DiscoveryError(`exports '${name}' that is ${kindOf(value)}, but it must be a ${expected(name)}`)

  if (types.includes(name)) return fromFunction(name, value)
  if (classes.has(name)) return fromClass(name, value)

  return await fromFactory(name, value)
}

function fromFunction (type, fn) {
  if (isClass(fn)) {
    throw new DiscoveryError(`exports a class '${type}': name it '${className(type)}', or export a function`)
  }

  return { type, scope: scopeOf(type, fn), form: 'function', run: { execute: fn } }
}

function fromClass (name, Class) {
  const instance = construct(name, Class)

  checkExecute(instance, `class '${name}'`)

  const type = classes.get(name)

  return { type, scope: scopeOf(type, instance.execute), form: 'class', run: instance }
}

async function fromFactory (name, Factory) {
  const [, prefix, typeName] = factory.exec(name)
  const instance = construct(name, Factory)

  if (typeof instance?.create !== 'function') throw new DiscoveryError(`exports '${name}' without the method 'create'`)

  const run = await instance.create()

  checkExecute(run, `what 'create' of '${name}' returns`)

  const type = classes.get(typeName)
  const scope = prefix === undefined ? scopeOf(type, run.execute) : prefix.toLowerCase()

  return { type, scope, form: 'factory', run }
}

function construct (name, Class) {
  try {
    return new Class()
  } catch (error) {
    if (error instanceof TypeError && /is not a constructor/.test(error.message)) {
      throw new DiscoveryError(`exports '${name}' that is a function, but it must be a class`)
    }

    throw error
  }
}

function checkExecute (instance, what) {
  if (typeof instance?.execute !== 'function') throw new DiscoveryError(`${what} has no method 'execute'`)

  for (const method of ['mount', 'unmount']) {
    const value = instance[method]

    if (value !== undefined && typeof value !== 'function') {
      throw new DiscoveryError(`${what} has '${method}' that is ${kindOf(value)}, but it must be a method`)
    }
  }
}

/** A type that cannot do without state hides its scope where the parameter has another name. */
function scopeOf (type, fn) {
  const name = secondParameter(fn)

  if (scopes.has(name)) return name

  return name === null || stateful.has(type) ? null : 'none'
}

export function isClass (fn) {
  return /^class\b/.test(Function.prototype.toString.call(fn))
}

function className (type) {
  return type[0].toUpperCase() + type.slice(1)
}

function expected (name) {
  return types.includes(name) ? 'function' : 'class'
}

function nothingFound (names) {
  const has = names.length === 0 ? 'exports nothing' : `exports ${listed(names)}`

  return `${has}, but an operation exports a function named after its type: ${types.join(', ')}`
}

export function listed (names) {
  return names.map((name) => `'${name}'`).join(' and ')
}

export function kindOf (value) {
  if (value === null || value === undefined) return String(value)

  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
