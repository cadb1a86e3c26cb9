export function computation (input) {
  return input
}
