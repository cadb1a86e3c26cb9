// What one writes by hand where there is no runtime: credits under keys, in one statement, over a pool of connections. A repeat is
// answered from the row that the first left.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import pg from 'pg'

const pool = new pg.Pool({ host: process.argv[2], database: 'postgres', user: 'postgres', max: 20 })
const token = 'Token yardstick'

await pool.query('CREATE TABLE wallets (id text PRIMARY KEY, balance bigint NOT NULL, version bigint NOT NULL)')
await pool.query('CREATE TABLE calls (key text PRIMARY KEY, reply text NOT NULL, at timestamptz NOT NULL DEFAULT now())')

const text = `
  WITH known AS (SELECT reply FROM calls WHERE key = $1),
    moved AS (
      INSERT INTO wallets AS w (id, balance, version) SELECT $2, $3::bigint, 1 WHERE NOT EXISTS (SELECT FROM known)
      ON CONFLICT (id) DO UPDATE SET balance = w.balance + $3::bigint, version = w.version + 1
      RETURNING id, balance, version),
    saved AS (
      INSERT INTO calls (key, reply)
      SELECT $1, json_build_object('id', id, 'balance', balance, 'VERSION', version)::text FROM moved
      RETURNING reply)
  SELECT reply, false AS replayed FROM saved UNION ALL SELECT reply, true FROM known`

async function credit (key, id, cents) {
  for (;;) {
    try {
      return (await pool.query({ name: 'credit', text, values: [key, id, cents] })).rows[0]
    } catch (error) {
      if (error.code !== '23505') throw error // the first came in between: its reply is there now
    }
  }
}

const server = createServer(async (request, response) => {
  const chunks = []

  for await (const chunk of request) chunks.push(chunk)

  if (request.method !== 'PUT' || request.headers.authorization !== token) return response.writeHead(401).end()

  const { cents } = JSON.parse(Buffer.concat(chunks).toString())
  const key = request.headers['idempotency-key']

  if (!Number.isInteger(cents) || cents < 1 || key === undefined) return response.writeHead(400).end()

  const { reply, replayed } = await credit(key + request.url, request.url.split('/')[3], cents)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) }

  response.writeHead(200, replayed ? { ...headers, 'idempotency-replayed': 'true' } : headers).end(reply)
})

server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
createInterface({ input: process.stdin }).on('close', () => process.exit())
