export async function effect ({ id }: { id: string }, context: any) {
  await context.local.count({ query: { id }, task: true })
}
