// Loads the files of all operations, events and receivers, and says of each what was found or what is wrong.

import { realpathSync } from 'node:fs'
import module from 'node:module'
import { pathToFileURL } from 'node:url'
import { DiscoveryError } from './discover.mjs'
import { placeOfFault } from './diagnose.mjs'
import { wayToLoad } from './graph.mjs'
import { hooksAreCheap, installExtensions, installHooks } from './hooks.mjs'

export class Loader {
  #requires

  /** `files` are all that will be loaded: how they are loaded is decided once, so that what they share is loaded once. */
  constructor (files) {
    const way = hooksAreCheap ? 'hooks' : wayToLoad(files)

    installExtensions()

    if (way === 'hooks') installHooks()

    this.#requires = way === 'require'
  }

  /**
   * Loads one file: `{ found }` with what `discover` made of its exports, or `{ fault }` with `{ error, file, line? }`.
   * `title` says what it is.
   */
  async load (file, title, discover) {
    try {
      return { found: await discover(await this.#exportsOf(file)) }
    } catch (error) {
      if (error instanceof DiscoveryError) return { fault: { error: `${title} ${error.message}`, file } }

      const { what, ...place } = placeOfFault(error, file)

      return { fault: { error: `${title} cannot be loaded: ${what}`, ...place } }
    }
  }

  async #exportsOf (file) {
    if (this.#requires) return module.createRequire(file)(file)

    const namespace = await import(pathToFileURL(file).href)
    const commonjs = module.Module._cache[realpathSync(file)]

    if (commonjs === undefined || commonjs.exports === null) return namespace

    return typeof commonjs.exports === 'object' || typeof commonjs.exports === 'function' ? commonjs.exports : {}
  }
}
