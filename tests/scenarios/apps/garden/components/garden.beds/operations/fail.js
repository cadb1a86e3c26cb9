export function transition (_, entry) {
  throw new TypeError('no hose')
}
