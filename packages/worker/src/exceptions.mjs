// Errors and exceptions, on their way in (what a call came to) and on their way out (what the author's code threw).

import { inspect, types } from 'node:util'
import { exceptionMessageMax, exceptionStackMax } from './limits.mjs'
import { toJson } from './values.mjs'

/** What a call resolves to where the operation refused. */
export class CodedError extends Error {
  constructor (code, cause) {
    super(code)
    this.code = code

    if (cause !== undefined) this.cause = cause
  }
}

Object.defineProperty(CodedError.prototype, 'name', { value: 'CodedError', writable: true, configurable: true })

/** What a call rejects with. Only these travel back with `code`, `operation` and `trail`: an author's `code` means something else. */
export class RuntimeException extends Error {
  #runtime = true

  constructor ({ name, message, stack, code, operation, cause, trail }) {
    super(message)
    Object.defineProperty(this, 'name', { value: name, writable: true, configurable: true })

    if (typeof stack === 'string') {
      Object.defineProperty(this, 'stack', { value: stack, writable: true, configurable: true })
    }

    if (code !== undefined) this.code = code
    if (operation !== undefined) this.operation = operation
    if (cause !== undefined) this.cause = cause
    if (trail !== undefined) this.trail = trail
  }

  static is (value) {
    return typeof value === 'object' && value !== null && #runtime in value
  }
}

/** An exception of the runtime that this code makes itself, instead of a call that could not come to anything else. */
const own = (name, code) => (message) => new RuntimeException({ name, message, code })

export const requestContract = own('RequestContractException', 202)
export const noEndpoint = own('EndpointException', 402)

/** What one of several functions of a run threw: `about` says which. */
export class Blamed {
  #about
  #thrown

  constructor (about, thrown) {
    this.#about = about
    this.#thrown = thrown
  }

  static describe (value) {
    if (typeof value !== 'object' || value === null || !(#thrown in value)) return null

    const described = describe(value.#thrown)

    return { ...described, message: `${value.#about}: ${described.message}` }
  }
}

/** The JSON text of an exception. Never throws, whatever was thrown. */
export function describeThrown (thrown) {
  const about = Blamed.describe(thrown) ?? describe(thrown)

  try {
    return JSON.stringify(about)
  } catch {
    return JSON.stringify({ name: about.name, message: about.message, stack: about.stack })
  }
}

function describe (thrown) {
  return isError(thrown) ? describeError(thrown) : describeValue(thrown)
}

export function isError (value) {
  return types.isNativeError(value) || attempt(() => value instanceof Error) === true
}

function describeError (error) {
  const name = text(attempt(() => error.name), 'Error')
  const message = text(attempt(() => error.message), '').slice(0, exceptionMessageMax)
  const stack = ownStack(text(attempt(() => error.stack), `${name}: ${message}`)).slice(0, exceptionStackMax)
  const about = { name, message, stack }
  const cause = attempt(() => describeCause(error.cause))

  if (cause !== undefined) about.cause = cause

  if (RuntimeException.is(error)) {
    const { code, operation, trail } = attempt(() => ({ code: error.code, operation: error.operation, trail: error.trail })) ?? {}

    if (attempt(() => toJson(code, 'code')) !== undefined) about.code = code
    if (typeof operation === 'string') about.operation = operation
    if (attempt(() => toJson(trail, 'trail')) !== undefined) about.trail = trail
  }

  return about
}

function describeCause (cause) {
  if (isError(cause)) return { name: text(cause.name, 'Error'), message: text(cause.message, '').slice(0, exceptionMessageMax) }

  const json = toJson(cause, 'cause')

  return json === undefined ? undefined : JSON.parse(json)
}

function describeValue (value) {
  const message = typeof value === 'string' ? value : attempt(() => inspect(value, { depth: 2 })) ?? 'a value that cannot be shown'
  const cut = message.slice(0, exceptionMessageMax)

  return { name: 'Error', message: cut, stack: `${cut}\n    (thrown without an Error, so there is no stack)` }
}

/** A stack without the worker's own lines: they are nothing to the author. */
function ownStack (stack) {
  if (!stack.includes(import.meta.url)) return stack

  return stack.split('\n').filter((line) => !line.includes(import.meta.url)).join('\n')
}

function text (value, otherwise) {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

function attempt (read) {
  try {
    return read()
  } catch {
    return undefined
  }
}
