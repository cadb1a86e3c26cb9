import { open } from './lib/gate.js'

export function effect () {
  open()
}
