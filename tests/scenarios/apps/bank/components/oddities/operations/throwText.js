export function computation () {
  throw 'just a text'
}
