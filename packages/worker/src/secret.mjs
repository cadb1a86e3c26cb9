// A configuration value that is not shown by accident: only `unwrap()` gives it.

import { inspect } from 'node:util'

const shown = '[secret]'

export class Secret {
  #value

  constructor (value) {
    this.#value = value
    Object.freeze(this)
  }

  unwrap () {
    return this.#value
  }

  toString () {
    return shown
  }

  toJSON () {
    return shown
  }

  [inspect.custom] () {
    return shown
  }
}
