export function computation () {
  return { index: new Map([['a', 1]]) }
}
