export function computation () {
  return 'a'.repeat(17 * 1024 * 1024)
}
