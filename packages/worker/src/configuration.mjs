// The configuration of a component as its author sees it: frozen to the ground, secrets wrapped.

import { Secret } from './secret.mjs'

export function prepareConfiguration (configuration, secrets = []) {
  const value = configuration ?? {}

  for (const path of secrets) wrap(value, path)

  return freeze(value)
}

function wrap (value, path) {
  const last = path.length - 1
  const holder = path.slice(0, last).reduce((at, key) => at?.[key], value)

  if (typeof holder?.[path[last]] === 'string') holder[path[last]] = new Secret(holder[path[last]])
}

function freeze (value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value

  for (const key of Object.keys(value)) freeze(value[key])

  return Object.freeze(value)
}
