// What the runtime keeps stays the runtime's, whatever is written into it.
export function transition (_, entry) {
  Object.assign(entry, { VERSION: 100, CREATED: 1, UPDATED: 2, REGION: 3 })

  return entry
}
