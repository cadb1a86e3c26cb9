export function computation () {
  return { later: Promise.resolve(1) }
}
