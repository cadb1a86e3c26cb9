export function observation (_, entry) {
  return entry
}
