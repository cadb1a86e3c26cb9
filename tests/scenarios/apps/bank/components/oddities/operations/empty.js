export function computation () {
  return new Error()
}
