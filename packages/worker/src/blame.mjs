// Finds the component that code belongs to, from a call stack. Costs only where it is asked.

import { fileURLToPath } from 'node:url'
import { blameFramesMax } from './limits.mjs'

export class Blame {
  #folders // [path with its final slash, component id], longest first

  constructor (components) {
    this.#folders = components
      .map(({ path, id }) => [path.endsWith('/') ? path : `${path}/`, id])
      .sort(([a], [b]) => b.length - a.length)
  }

  /** The component whose code is running now, or null. */
  current () {
    const { stackTraceLimit, prepareStackTrace } = Error

    try {
      Error.stackTraceLimit = blameFramesMax
      Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName())

      for (const file of new Error().stack) {
        const component = this.#ofFile(file)

        if (component !== null) return component
      }

      return null
    } finally {
      Error.stackTraceLimit = stackTraceLimit
      Error.prepareStackTrace = prepareStackTrace
    }
  }

  /** The component that a stack's text names first, or null. */
  ofStack (stack) {
    if (typeof stack !== 'string') return null

    for (const [, file] of stack.matchAll(/((?:file:\/\/)?\/[^\n()]+?):\d+:\d+/g)) {
      const component = this.#ofFile(file)

      if (component !== null) return component
    }

    return null
  }

  #ofFile (file) {
    if (typeof file !== 'string') return null

    const path = file.startsWith('file:') ? fileURLToPath(file) : file

    return this.#folders.find(([folder]) => path.startsWith(folder))?.[1] ?? null
  }
}
