export async function effect (_, { fetch }) {
  return (await fetch('http://127.0.0.1:1/')).status
}
