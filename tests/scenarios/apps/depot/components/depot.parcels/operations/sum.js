export async function effect (until, { local }) {
  let sum = 0

  for await (const { i } of await local.feed({ input: 1000000, output: ['i'] })) {
    sum += i

    if (i === until) break
  }

  return sum
}
