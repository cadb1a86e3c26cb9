export function computation () {
  return null
}
