import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, startOne } from '../testing/application.mjs'

test('console writes log messages with the component, the severity and the text', async (t) => {
  const { driver, run } = await startOne(t, `import { helper } from '../lib/helper.mjs'
export async function effect () {
  console.log('plain %d', 5, { a: [1] })
  await null
  console.debug('d'); console.info('i'); console.warn('w'); console.error('e')
  setTimeout(() => console.log('later'), 1)
  helper()
}`.replace('../lib/helper.mjs', 'data:text/javascript,export const helper = () => console.log("from outside")'))

  await run()

  const logs = []

  for (let i = 0; i < 7; i++) logs.push((await driver.next('log')).slice(1))

  assert.deepEqual(logs, [
    ['shop.wallets', 'info', 'plain 5 { a: [ 1 ] }', undefined], ['shop.wallets', 'debug', 'd', undefined], ['shop.wallets', 'info', 'i', undefined],
    ['shop.wallets', 'warn', 'w', undefined], ['shop.wallets', 'error', 'e', undefined], ['shop.wallets', 'info', 'from outside', undefined],
    ['shop.wallets', 'info', 'later', undefined]
  ])
})

test('context.logs carries attributes, whatever they are', async (t) => {
  const { driver, run } = await startOne(t, `export async function effect (input, { logs }) {
  const cycle = {}
  cycle.self = cycle
  logs.info('paid', { amount: 5, é: 'ü' }); logs.warn('w'); logs.error('c', cycle); logs.debug('b', { big: 10n }); logs.info('l', { x: 'y'.repeat(10_000) })
}`)

  await run()

  const next = async () => (await driver.next('log')).slice(1)

  assert.deepEqual(await next(), ['shop.wallets', 'info', 'paid', '{"amount":5,"é":"ü"}'])
  assert.deepEqual(await next(), ['shop.wallets', 'warn', 'w', undefined])
  assert.match((await next())[3], /Circular/)
  assert.equal((await next())[3], '{"big":"10"}')
  assert.ok((await next())[3].length < 8192)
})

test('cuts long messages and says how many of too many were dropped', async (t) => {
  const { driver } = await startOne(t, 'export async function effect () { console.log("é".repeat(100_000)); for (let i = 0; i < 999; i++) console.log(i) }')

  await driver.done(driver.start(0))

  const text = (await driver.next('log'))[3]

  assert.ok(Buffer.byteLength(text) <= 8192 && Buffer.byteLength(text) > 8180 && text.endsWith('é…'))

  const dropped = await driver.next((message) => message[0] === 'log' && message[1] === null)

  assert.deepEqual(dropped.slice(1, 4), [null, 'warn', '500 log messages were dropped: a worker writes at most 500 a second'])
  assert.equal(driver.received.filter(([kind]) => kind === 'log').length, 499)
})

test('an unhandled rejection is logged and the worker goes on', async (t) => {
  const { driver, run } = await startOne(t, 'export const effect = () => { Promise.reject(new Error("lost")); Promise.reject(null); return 1 }')

  assert.equal((await run()).reply, 1)

  const [, component, severity, text] = await driver.next('log')

  assert.deepEqual([component, severity], ['shop.wallets', 'error'])
  assert.match(text, /^A rejection was not handled: Error: lost\n.*one\.mjs/s)
  assert.equal((await driver.next('log'))[3], 'A rejection was not handled: null')
  assert.equal((await run()).reply, 1)
})

test('an uncaught exception is logged and ends the worker with status 70', async (t) => {
  const { driver } = await startOne(t, 'export const effect = () => new Promise(() => { setTimeout(() => { console.log("before"); throw new TypeError("boom") }, 1) })')

  driver.start(0)
  assert.equal((await driver.next('log'))[3], 'before')
  assert.match((await driver.next('log'))[3], /^An exception was not caught: TypeError: boom/)
  assert.equal(await driver.exited, 70)
})

test('process.exit leaves, after what was logged', async (t) => {
  const { driver } = await startOne(t, 'export const effect = () => { console.log("bye"); process.exit(3) }')

  driver.start(0)
  assert.equal((await driver.next('log'))[3], 'bye')
  assert.equal(await driver.exited, 3)
})

test('raw output goes where it goes', async (t) => {
  const { driver, run } = await startOne(t, 'export const effect = () => new Promise((resolve) => process.stdout.write("raw\\n", () => resolve(1)))')

  await run()
  driver.send(['stop'])
  await driver.exited
  assert.equal(driver.stdout, 'raw\n')
})

test('a signal for the whole group does not end a worker', async (t) => {
  const { driver, run } = await startOne(t, 'export const effect = () => 1')

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) driver.child.kill(signal)

  assert.equal((await run()).reply, 1)
})

test('two components log under their own names', async (t) => {
  const { driver, path } = await start(t, { 'operations/a.ts': 'export const effect = () => console.log("a")' })

  await driver.run(0)
  assert.equal((await driver.next('log'))[1], 'shop.wallets')
  assert.ok(path.endsWith('shop.wallets'))
})
