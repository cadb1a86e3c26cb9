// `context.fetch`: the standard fetch, and again on failure where `retry` asks for it.

import { pauseMsMax } from './limits.mjs'

export async function fetchWithRetry (input, options) {
  if (options?.retry === undefined || options.retry === null) return fetch(input, options)

  const { retry, ...init } = options
  const plan = planOf(retry)
  const signal = init.signal ?? (input instanceof Request ? input.signal : undefined)

  if (plan.attempts === 1) return fetch(input, init)

  refuseOneTimeBody(input, init)

  new Request(input, init) // wrong arguments throw here, and are not tried again

  for (let attempt = 1; ; attempt++) {
    const last = attempt === plan.attempts
    const response = await attemptOnce(input, init, last, signal)

    if (response !== null && (last || plan.expects(response))) return response

    await pause(retryAfter(response) ?? plan.delay * plan.factor ** (attempt - 1), signal)
  }
}

/** A response, or null for a network failure that is not the last attempt's. */
async function attemptOnce (input, init, last, signal) {
  try {
    return await fetch(input, init)
  } catch (error) {
    if (last || signal?.aborted) throw error

    return null
  }
}

function planOf ({ attempts, expected, delay = 100, factor = 2 }) {
  if (!Number.isSafeInteger(attempts) || attempts < 1) throw new TypeError("'retry.attempts' must be a positive integer")
  if (!(delay >= 0)) throw new TypeError("'retry.delay' must be a number of milliseconds")
  if (!(factor >= 0)) throw new TypeError("'retry.factor' must be a positive number")

  if (expected !== undefined && (!Array.isArray(expected) || !expected.every(Number.isSafeInteger))) {
    throw new TypeError("'retry.expected' must be a list of statuses")
  }

  const expects = ({ ok, status }) => (expected === undefined ? ok : expected.includes(status))

  return { attempts, expects, delay, factor }
}

function refuseOneTimeBody (input, init) {
  const own = init.body !== undefined && init.body !== null
  const oneTime = own ? isStream(init.body) : input instanceof Request && input.body !== null

  if (oneTime) throw new TypeError('Cannot retry a request with a non-replayable body')
}

function isStream (body) {
  return body instanceof ReadableStream || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
}

/** The pause that an answer asks for, in milliseconds: seconds or a date. */
function retryAfter (response) {
  if (response === null) return null

  response.body?.cancel().catch(() => {}) // an unread body would hold the connection

  const value = response.headers.get('retry-after')?.trim()

  if (value === undefined || value === '') return null
  if (/^\d+$/.test(value)) return Number(value) * 1000

  const date = Date.parse(value)

  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

function pause (ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)

    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }

    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, Math.min(ms, pauseMsMax))

    signal?.addEventListener('abort', stop, { once: true })
  })
}
