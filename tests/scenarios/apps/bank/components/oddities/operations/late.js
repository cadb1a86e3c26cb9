export function effect () {
  Promise.reject(new Error('nobody waits for this'))

  return 'left'
}
