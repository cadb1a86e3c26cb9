import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import { startOne } from '../testing/application.mjs'

/** A server that answers by a script, one element a request: a status, `[status, headers]`, or null to hang up. */
async function serve (t, script) {
  const requests = []
  let answer
  const answered = new Promise((resolve) => { answer = resolve })

  const server = createServer((request, response) => {
    let body = ''

    request.on('data', (text) => { body += text })
    request.on('end', () => {
      requests.push({ at: performance.now(), method: request.method, body })

      const next = requests.length > script.length ? 200 : script[requests.length - 1]

      if (next === null) return request.socket.destroy()

      const [status, headers] = [next].flat()

      response.writeHead(status, headers).end(`answer ${requests.length}`, answer)
    })
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => { server.closeAllConnections(); server.close() })

  return { url: `http://127.0.0.1:${server.address().port}/`, requests, answered }
}

const source = `export async function effect ({ url, options, abortWith, stream, request }, { fetch }) {
  const controller = new AbortController()

  if (abortWith !== undefined) {
    options = { ...options, signal: controller.signal }
    fetch(abortWith).then(() => controller.abort())
  }

  if (stream) options = { ...options, body: new ReadableStream(), duplex: 'half' }
  const response = await fetch(request ? new Request(url, request) : url, options)
  return [response.status, await response.text()]
}`

test('fetches, once, and gives up the turn before it', async (t) => {
  const { url, requests } = await serve(t, [503])
  const { driver } = await startOne(t, source)
  const run = driver.start(0, { url })

  assert.deepEqual(await driver.next((message) => message[0] === 'leave'), ['leave', run])
  assert.deepEqual((await driver.done(run)).reply, [503, 'answer 1'])
  assert.equal(requests.length, 1)
})

const early = 2

test('waits until the state that it was given is durable', async (t) => {
  const { url, requests } = await serve(t, [200])
  const { driver } = await startOne(t, source)
  const run = driver.start(0, { url }, undefined, early)

  assert.deepEqual(await driver.next((message) => message[0] === 'settle'), ['settle', run])
  assert.equal(requests.length, 0)

  driver.settled(run)

  assert.deepEqual((await driver.done(run)).reply, [200, 'answer 1'])
})

test('fetches nothing for a state that was taken back', async (t) => {
  const { url, requests } = await serve(t, [200])
  const { driver } = await startOne(t, source)
  const run = driver.start(0, { url }, undefined, early)

  await driver.next((message) => message[0] === 'settle')
  driver.settled(run, { name: 'StateConcurrencyException', message: 'it was taken back', code: 304 })

  const { kind, reply } = await driver.done(run)

  assert.equal(kind, 'exception')
  assert.match(reply.message, /taken back/)
  assert.equal(requests.length, 0)
})

test('retries unexpected statuses and network failures with the same body', async (t) => {
  const { url, requests } = await serve(t, [503, null, 500])
  const { run } = await startOne(t, source)
  const options = { method: 'POST', body: 'same', retry: { attempts: 5, delay: 5, factor: 1 } }

  assert.deepEqual((await run({ url, options })).reply, [200, 'answer 4'])
  assert.deepEqual(requests.map(({ body }) => body), ['same', 'same', 'same', 'same'])
})

test('returns the last answer, throws the last network failure', async (t) => {
  const answered = await serve(t, [503, 502])
  const silent = await serve(t, [null, null])
  const { run } = await startOne(t, source)
  const options = { retry: { attempts: 2, delay: 1 } }

  assert.deepEqual((await run({ url: answered.url, options })).reply, [502, 'answer 2'])
  assert.equal((await run({ url: silent.url, options })).kind, 'exception')
  assert.equal(silent.requests.length, 2)
})

test('pauses grow by the factor, and Retry-After says otherwise', async (t) => {
  const { url, requests } = await serve(t, [500, 500, [503, { 'retry-after': '0' }], [503, { 'retry-after': new Date(0).toUTCString() }], [429, { 'retry-after': '1' }]])
  const { run } = await startOne(t, source)

  assert.equal((await run({ url, options: { retry: { attempts: 6, delay: 40, factor: 2 } } })).reply[0], 200)

  const pauses = requests.slice(1).map(({ at }, i) => at - requests[i].at)

  assert.ok(pauses[0] >= 39 && pauses[1] >= 79, pauses.join())
  assert.ok(pauses[2] < 150 && pauses[3] < 300, pauses.join()) // computed: 160 and 320
  assert.ok(pauses[4] >= 990, pauses.join())
})

test('expects the listed statuses only', async (t) => {
  const { url } = await serve(t, [200, 404])
  const { run } = await startOne(t, source)

  assert.deepEqual((await run({ url, options: { retry: { attempts: 3, delay: 1, expected: [404] } } })).reply, [404, 'answer 2'])
})

test('the signal covers the pauses', async (t) => {
  const { url, requests, answered } = await serve(t, [[503, { 'retry-after': '60' }]])
  const { run } = await startOne(t, source)

  // Answers when the first attempt has its answer, so that what is aborted is the minute until the next.
  const bell = createServer((request, response) => { answered.then(() => response.end()) }).listen(0, '127.0.0.1')
  await once(bell, 'listening')
  t.after(() => { bell.closeAllConnections(); bell.close() })

  const abortWith = `http://127.0.0.1:${bell.address().port}/`

  assert.equal((await run({ url, abortWith, options: { retry: { attempts: 2 } } })).reply.name, 'AbortError')
  assert.equal(requests.length, 1)
})

test('refuses to retry a body that can be read once only', async (t) => {
  const { url, requests } = await serve(t, [])
  const { run } = await startOne(t, source)
  const retry = { attempts: 2 }
  const message = 'Cannot retry a request with a non-replayable body'

  assert.equal((await run({ url, stream: true, options: { method: 'POST', retry } })).reply.message, message)
  assert.equal((await run({ url, request: { method: 'POST', body: 'x' }, options: { retry } })).reply.message, message)
  assert.equal(requests.length, 0)
  assert.deepEqual((await run({ url, request: { method: 'POST', body: 'x' }, options: { retry: { attempts: 1 } } })).reply[0], 200)
})

test('does not retry wrong arguments', async (t) => {
  const { run } = await startOne(t, source)

  assert.equal((await run({ url: 'not a url', options: { retry: { attempts: 3, delay: 60_000 } } })).reply.name, 'TypeError')
  assert.match((await run({ url: 'http://localhost', options: { retry: {} } })).reply.message, /attempts/)
})
