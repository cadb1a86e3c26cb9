// A request as the author wrote it.

import { requestContract } from './exceptions.mjs'
import { toJson, ValueError } from './values.mjs'

/**
 * The JSON text of a request, or undefined for undefined. `of` says whose it is. What cannot be sent is a
 * RequestContract: the same code would make the same request each time.
 */
export function requestJson (request, of) {
  if (request === undefined) return undefined

  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw requestContract(`The request of ${of} must be an object with properties such as 'input' and 'query'`)
  }

  try {
    return toJson(request, 'request')
  } catch (error) {
    throw error instanceof ValueError ? requestContract(error.message) : error
  }
}
