export function computation () {
  return { run () {} }
}
