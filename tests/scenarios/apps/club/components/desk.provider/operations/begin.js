export async function effect (input, { configuration, fetch }) {
  const sent = { method: 'POST', body: JSON.stringify(input), retry: { attempts: 1 } }
  const response = await fetch(`${configuration.url}/checkouts`, sent).catch(() => undefined)

  return response?.status === 201 ? response.json() : new Error('UNAVAILABLE')
}
