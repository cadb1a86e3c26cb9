export function effect () {
  throw new Error('never')
}
