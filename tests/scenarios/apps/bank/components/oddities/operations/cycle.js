export function computation () {
  const items = [{ name: 'a' }]

  items[0].parent = items

  return { items }
}
