// `console` of the author's code: formatted as always, but sent as log messages with the component that wrote them.

import { Console } from 'node:console'
import { Writable } from 'node:stream'

const severities = { debug: 'debug', trace: 'debug', warn: 'warn', error: 'error', assert: 'error' }

export function installConsole (logs, blame) {
  let severity = 'info' // of the method that is running: Console writes before it returns

  const stream = new Writable({ decodeStrings: false })

  stream.write = (text) => {
    logs.write(blame.current(), severity, text.replace(/\n$/, ''))

    return true
  }

  const inner = new Console({ stdout: stream, stderr: stream, colorMode: false, ignoreErrors: true })

  for (const method of Object.keys(inner)) {
    if (typeof inner[method] !== 'function' || typeof console[method] !== 'function') continue

    const own = severities[method] ?? 'info'
    const silent = method.startsWith('group') || method === 'count' || method.startsWith('time')

    console[method] = (...values) => {
      if (!silent && !logs.admits()) return // before the work of formatting

      severity = own
      inner[method](...values)
    }
  }
}
