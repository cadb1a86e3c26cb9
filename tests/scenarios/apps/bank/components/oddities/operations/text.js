export function computation () {
  return 42
}
