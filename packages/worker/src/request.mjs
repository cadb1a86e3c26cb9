// A request as the author wrote it.

import { toJson } from './values.mjs'

/** The JSON text of a request, or undefined for undefined. `of` says whose it is. */
export function requestJson (request, of) {
  if (request === undefined) return undefined

  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new TypeError(`The request of ${of} must be an object with properties such as 'input' and 'query'`)
  }

  return toJson(request, 'request')
}
