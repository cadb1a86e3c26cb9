export function computation () {
  return 2 ** 53 + 2
}
