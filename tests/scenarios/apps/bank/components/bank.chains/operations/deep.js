export async function effect ({ left }, { local }) {
  return left > 0 ? await local.deep({ input: { left: left - 1 } }) : 'bottom'
}
