export function computation () {
  return { items: [1, 2, { price: Number('x') }] }
}
