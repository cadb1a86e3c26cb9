export async function effect () {
  await new Promise(() => {})
}
