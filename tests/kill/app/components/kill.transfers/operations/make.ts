interface Input {
  first: string
  second: string
  by: number
}

interface Context {
  remote: { kill: { counters: { add: (request: object) => Promise<object> } } }
}

export async function effect ({ first, second, by }: Input, context: Context) {
  const { counters } = context.remote.kill

  return [
    await counters.add({ query: { id: first }, input: { by } }),
    await counters.add({ query: { id: second }, input: { by } })
  ]
}
