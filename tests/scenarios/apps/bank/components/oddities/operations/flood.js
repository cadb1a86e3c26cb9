export function effect () {
  for (let i = 0; i < 50_000; i++) console.log(`line ${i}`)

  return 'flooded'
}
