export async function transition (_, entry) {
  await new Promise(resolve => setTimeout(resolve, 300))
  entry.water += 1

  return entry
}
