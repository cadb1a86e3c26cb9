export function effect () {
  process.exit(3)
}
