export function computation () {
  return new Error('NOT_DECLARED')
}
