export function * computation () {
  yield 'a'
  yield 'b'
}
