export async function effect ({ left }, { local }) {
  return left > 0 ? await local.around({ input: { left: left - 1 } }) : 'home'
}
