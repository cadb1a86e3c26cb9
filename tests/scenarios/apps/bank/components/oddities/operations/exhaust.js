export function effect () {
  const all = []

  for (;;) all.push(new Array(100_000).fill({}))
}
