export async function effect (books, context) {
  const ids = []

  for (const input of books) {
    const book = await context.local.add({ input })
    ids.push(book.id)
  }

  return ids
}
