export async function effect ({ report }, { local, logs }) {
  const { text } = await local.observe({ query: { id: report } })

  if (text !== undefined) return

  const press = await local.observe({ query: { id: 'press' } })

  if (press.press === 'down') throw new Error('the press is down')

  logs.info('Printed', { report })
  await local.note({ query: { id: report }, input: { text: `report of ${report}` } })
}
