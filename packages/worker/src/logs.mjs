// Log messages on their way to the program, at a bounded size and rate.

import { inspect } from 'node:util'
import { logBytesMax, logsPerSecondMax, queueLogBytesMax } from './limits.mjs'

export class Logs {
  #channel
  #count = 0 // of the second at hand
  #dropped = 0
  #timer = null

  constructor (channel) {
    this.#channel = channel
  }

  /** Whether a message would be taken now; one that would not is counted as dropped. */
  admits () {
    if (this.#count < logsPerSecondMax && this.#channel.queued < queueLogBytesMax) return true

    this.#dropped++
    this.#startSecond()

    return false
  }

  write (component, severity, text, attributes) {
    if (!this.admits()) return

    this.#count++
    this.#startSecond()
    this.#send(component, severity, text, attributes)
  }

  /** Says how many messages are missing; also called before the process ends. */
  tellDropped () {
    if (this.#dropped === 0) return

    const text = `${this.#dropped} log messages were dropped: a worker writes at most ${logsPerSecondMax} a second`

    this.#dropped = 0
    this.#send(null, 'warn', text)
  }

  #startSecond () {
    if (this.#timer !== null) return

    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#count = 0
      this.tellDropped()
    }, 1000)
    this.#timer.unref()
  }

  #send (component, severity, text, attributes) {
    const head = `["log",${JSON.stringify(component)},"${severity}",${JSON.stringify(cut(text))},`
    const json = attributes === undefined ? undefined : attributesJson(attributes)

    if (json === undefined) return this.#channel.send(head + '-1]')

    const bytes = Buffer.byteLength(json)

    this.#channel.send(`${head}${bytes}]`, [json], bytes)
  }
}

/** Logging never throws: what JSON cannot hold is shown as text. */
function attributesJson (attributes) {
  let json

  try {
    json = JSON.stringify(attributes, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  } catch {
    json = JSON.stringify({ shown: safely(() => inspect(attributes)) })
  }

  if (json === undefined || Buffer.byteLength(json) <= logBytesMax) return json

  return JSON.stringify({ cut: json.slice(0, logBytesMax / 4) })
}

function cut (text) {
  if (text.length * 3 <= logBytesMax) return text

  const bytes = Buffer.from(text)

  if (bytes.length <= logBytesMax) return text

  let end = logBytesMax - 3 // room for the ellipsis

  while ((bytes[end] & 0xc0) === 0x80) end--

  return bytes.toString('utf8', 0, end) + '…'
}

export function safely (make) {
  try {
    return make()
  } catch {
    return 'a value that cannot be shown'
  }
}
