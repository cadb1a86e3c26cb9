export function transition (_, entry) {
  entry.balance++
}
