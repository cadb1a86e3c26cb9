import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json } from '../testing/driver.mjs'
import { startOne } from '../testing/application.mjs'

const counting = (body = '') => `export async function* effect (input) {
  try { for (let i = 0; i < input; i++) { ${body}; yield { i } } } finally { console.log('closed') }
}`

async function parts (driver, run, count) {
  const all = []

  for (let i = 0; i < count; i++) {
    all.push(JSON.parse((await driver.next((message) => message[0] === 'part' && message[1] === run))[2]))
    driver.send(['more', run])
  }

  return all
}

test('a generator sends its parts, and then ends without a reply', async (t) => {
  const { driver } = await startOne(t, counting())
  const run = driver.start(0, 3)

  assert.deepEqual(await driver.next('begin'), ['begin', run])
  assert.deepEqual(await parts(driver, run, 3), [{ i: 0 }, { i: 1 }, { i: 2 }])
  assert.deepEqual(await driver.done(run), { kind: 'output', flags: 4, reply: undefined, state: undefined, trailers: undefined })
})

test('no more parts are under way than may be', async (t) => {
  const { driver } = await startOne(t, counting())
  const run = driver.start(0, 1000)

  for (let i = 0; i < 16; i++) await driver.next('part')

  driver.send(['ping', 1])
  await driver.next('pong')
  assert.equal(driver.received.some(([kind]) => kind === 'part'), false)
  driver.send(['more', run])
  await driver.next('part')
})

test('who wants no more ends the generator', async (t) => {
  const { driver } = await startOne(t, counting())
  const run = driver.start(0, 1000)

  await driver.next('part')
  driver.send(['cancel', run])
  await driver.next((message) => message[0] === 'log' && message.includes('closed'))
  assert.equal((await driver.done(run)).flags, 4)
})

test('what a generator throws ends the run after its parts', async (t) => {
  const { driver } = await startOne(t, counting("if (i === 1) throw new RangeError('no')"))
  const run = driver.start(0, 3)

  assert.deepEqual(await parts(driver, run, 1), [{ i: 0 }])

  const { kind, reply } = await driver.done(run)

  assert.deepEqual([kind, reply.message], ['exception', 'no'])
})

test('a generator that is not asynchronous streams as well', async (t) => {
  const { driver } = await startOne(t, 'export function* computation () { yield 1; yield 2 }')
  const run = driver.start(0)

  assert.deepEqual(await parts(driver, run, 2), [1, 2])
  assert.equal((await driver.done(run)).flags, 4)
})

test('what stores cannot stream', async (t) => {
  const { run } = await startOne(t, 'export async function* transition (input, entry) { yield 1 }')
  const { kind, reply } = await run(null, { balance: 1 })

  assert.equal(kind, 'exception')
  assert.match(reply.message, /^A reply that is a stream was returned by a type 'transition'/)
})

const summing = `export async function effect (input, { remote }) {
  let sum = 0
  for await (const part of await remote.shop.wallets.credit()) { sum += part; if (sum > 100) break }
  return sum
}`

test('a caller reads the parts, each of which it acknowledges', async (t) => {
  const { driver } = await startOne(t, summing)
  const run = driver.start(0)
  const { call } = await driver.call(run)

  driver.send(['begin', run, call], ['part', run, call, json(1)], ['part', run, call, json(2)])
  await driver.next('more')
  await driver.next('more')
  driver.answer(run, call, 'output')
  assert.equal((await driver.done(run)).reply, 3)
})

test('a caller that stops early says so', async (t) => {
  const { driver } = await startOne(t, summing)
  const run = driver.start(0)
  const { call } = await driver.call(run)

  driver.send(['begin', run, call], ['part', run, call, json(101)])
  assert.deepEqual(await driver.next('cancel'), ['cancel', run, call])
  assert.equal((await driver.done(run)).reply, 101)
})

test('what ends a stream early is thrown where it is read', async (t) => {
  const { driver } = await startOne(t, summing)
  const run = driver.start(0)
  const { call } = await driver.call(run)

  driver.send(['begin', run, call], ['part', run, call, json(1)])
  driver.answer(run, call, 'exception', { name: 'SystemException', message: 'gone' })
  assert.equal((await driver.done(run)).reply.message, 'gone')
})

test('a stream can be passed on', async (t) => {
  const { driver } = await startOne(t, 'export async function effect (input, { remote }) { return await remote.shop.wallets.credit() }')
  const run = driver.start(0)
  const { call } = await driver.call(run)

  driver.send(['begin', run, call], ['part', run, call, json('a')])
  assert.deepEqual(await parts(driver, run, 1), ['a'])
  driver.answer(run, call, 'output')
  assert.equal((await driver.done(run)).flags, 4)
})

test('an unmanaged operation asks for rows', async (t) => {
  const { driver } = await startOne(t, "export const unmanaged = async (input, client) => [await client.get('select ?', [5]), await client.all('select')]")
  const run = driver.start(0)
  const [, , first, text] = await driver.next('query')

  assert.deepEqual(JSON.parse(text), { sql: 'select ?', values: [5] })
  driver.answer(run, first, 'output', [{ n: 5 }, { n: 6 }])

  const [, , second] = await driver.next('query')

  driver.answer(run, second, 'output', [])
  assert.deepEqual((await driver.done(run)).reply, [{ n: 5 }, []])
})
