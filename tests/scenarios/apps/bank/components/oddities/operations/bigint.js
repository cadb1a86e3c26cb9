export function computation () {
  return { sum: { total: 10n } }
}
