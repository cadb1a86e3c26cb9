// Module hooks of Node: what `import` does with a TypeScript file. On Node versions without synchronous hooks they run in
// a thread of their own, which loads this same file again; nothing here may rely on what the main thread has done.

import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileFile, compileForRequire, isTypeScript } from './typescript.mjs'

/** The query that tells the hooks' thread apart from the program. */
export const hooksQuery = '?hooks'

function compiled (url) {
  if (!url.startsWith('file:')) return null

  const file = fileURLToPath(url)

  if (!isTypeScript(file)) return null

  const { format, source } = compileFile(file)

  // CommonJS is left to `require`, whose extensions are set below: only it gives `require`d files the same treatment.
  return format === 'commonjs' ? { format, source: null, shortCircuit: true } : { format, source, shortCircuit: true }
}

export async function load (url, context, next) {
  return compiled(url) ?? next(url, context)
}

/** Makes `require` understand TypeScript. */
export function installExtensions () {
  for (const extension of ['.ts', '.mts', '.cts']) {
    module.Module._extensions[extension] = (target, file) => target._compile(compileForRequire(file), file)
  }
}

/** Whether this Node runs hooks where it is asked to, so that they cost next to nothing. */
export const hooksAreCheap = module.registerHooks !== undefined

/** Makes `import` understand TypeScript. */
export function installHooks () {
  if (hooksAreCheap) module.registerHooks({ load: (url, context, next) => compiled(url) ?? next(url, context) })
  else module.register(import.meta.url + hooksQuery)
}
