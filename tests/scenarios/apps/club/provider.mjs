// The provider's stand-in: keeps checkouts, and is away while there is a file `away`. Writes where it is into the application's .env,
// with the key that it signs with.
import { createServer } from 'node:http'
import { existsSync, renameSync, writeFileSync } from 'node:fs'

const customer = '4b1d0c5a9e3f7286b0a1c2d3e4f50617'
const checkouts = {
  c1: { id: 'p1', customer, cents: 250, paid: true },
  c2: { id: 'p2', customer, cents: 70, paid: false },
  c3: { id: 'p3', customer: null, cents: 90, paid: true }
}

const server = createServer((request, response) => {
  const begins = request.method === 'POST'
  const found = begins ? { checkout: 'c1' } : checkouts[request.url.split('/').at(-1)]
  const status = existsSync('away') ? 503 : begins ? 201 : found === undefined ? 404 : 200

  request.resume()
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(found ?? {}))
})

server.listen(0, '127.0.0.1', () => {
  writeFileSync('.env.new', `PROVIDER=http://127.0.0.1:${server.address().port}\nPROVIDER_KEY=${process.argv[2] ?? ''}\n`)
  renameSync('.env.new', '.env')
})
