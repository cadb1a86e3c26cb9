// What the author's code lets slip: rejections that nobody handles, exceptions that nobody catches.

import { inspect } from 'node:util'
import { lastWordsMs } from './limits.mjs'
import { safely } from './logs.mjs'

/** The exit status after an exception that nobody caught: the state of the process is unknown. */
const uncaughtStatus = 70

export function installMishaps (worker) {
  const tell = (what, reason) => {
    const stack = safely(() => reason?.stack)
    const text = safely(() => (typeof stack === 'string' ? stack : inspect(reason)))

    worker.logs.write(worker.blame.ofStack(stack), 'error', `${what}: ${text}`)
  }

  process.on('unhandledRejection', (reason) => tell('A rejection was not handled', reason))

  process.on('uncaughtException', (error) => {
    const leave = () => process.exit(uncaughtStatus)

    tell('An exception was not caught', error)
    worker.logs.tellDropped()
    setTimeout(leave, lastWordsMs)
    worker.channel.settle(leave)
  })

  process.on('exit', () => worker.channel.flushNow())

  // Ctrl-C and a service manager signal the whole group; the program decides when its workers stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
}
