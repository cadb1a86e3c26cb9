import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOne } from '../testing/application.mjs'

const shop = {
  application: {
    clock_ms: 3_600_000,
    components: undefined,
    endpoints: { 'shop.wallets.credit': {}, 'shop.orders.place': {}, 'default.mailer.send': {} }
  }
}

delete shop.application.components

test('calls operations by the names that authors use', async (t) => {
  const { driver } = await startOne(t, `export async function effect (input, { remote, local }) {
  const request = Object.freeze({ input: Object.freeze({ a: 1 }) })
  return [await remote.shop.orders.place(request), await remote.mailer.send(), await local.credit({ query: { id: 'x' } }), await remote.shop.orders.unknown({})]
}`, shop)

  const run = driver.start(0)
  const seen = []

  for (let i = 0; i < 4; i++) {
    const { call, where, endpoint, request } = await driver.call(run)

    seen.push([call, where, endpoint, request])
    driver.answer(run, call, 'output', i === 1 ? undefined : endpoint)
  }

  assert.deepEqual(seen, [
    [0, 'remote', 'shop.orders.place', { input: { a: 1 } }],
    [1, 'remote', 'default.mailer.send', undefined],
    [2, 'local', 'shop.wallets.credit', { query: { id: 'x' } }],
    [3, 'remote', 'shop.orders.unknown', {}]
  ])
  assert.deepEqual((await driver.done(run)).reply, ['shop.orders.place', null, 'shop.wallets.credit', 'shop.orders.unknown'])
})

test('a component that is not there is named', async (t) => {
  const { run } = await startOne(t, `export const effect = (input, { remote }) => input === 1 ? remote.shop.nobody.place() : remote.nobody.place()`, shop)

  const told = async (input) => (({ code, message }) => [code, message])((await run(input)).reply)

  assert.deepEqual(await told(1), [402, "There is no component 'shop.nobody' in this application"])
  assert.deepEqual(await told(2), [402, "There is no component or namespace 'nobody' in this application"])
})

test('the names of calls are not promises', async (t) => {
  const { run } = await startOne(t, `import { inspect } from 'node:util'
export async function effect (input, context) {
  const all = [await context.remote, await context.remote.shop, await context.remote.shop.orders, await context.local]
  return [all.length, typeof inspect(all), typeof inspect(context), JSON.stringify(context.remote)]
}`, shop)

  assert.deepEqual((await run()).reply.slice(0, 3), [4, 'string', 'string'])
})

test('a refusal of what was called is a CodedError, which may be returned as it is', async (t) => {
  const { driver } = await startOne(t, `export async function effect (input, { local }) {
  const reply = await local.credit()
  return input === 'pass' ? reply : [reply instanceof Error, reply.name, reply.code, reply.message, reply.cause]
}`, shop)

  for (const [input, expected] of [['look', { kind: 'output', reply: [true, 'CodedError', 'POOR', 'POOR', { left: 1 }] }], ['pass', { kind: 'error', reply: { code: 'POOR', cause: { left: 1 } } }]]) {
    const run = driver.start(0, input)

    driver.answer(run, (await driver.call(run)).call, 'error', { code: 'POOR', cause: { left: 1 } })

    const { kind, reply } = await driver.done(run)

    assert.deepEqual({ kind, reply }, expected)
  }
})

test('an exception of what was called rejects, and travels on with its code and trail', async (t) => {
  const { driver } = await startOne(t, `export async function effect (input, { local }) {
  if (input === 'pass') return local.credit()
  try { await local.credit() } catch (error) { return [error instanceof Error, error.name, error.code, error.message, error.cause, error.trail] }
}`, shop)

  const exception = { name: 'LoopException', message: 'hop 3', code: 601, cause: 'c', trail: ['a', 'b'] }

  for (const input of ['look', 'pass']) {
    const run = driver.start(0, input)

    driver.answer(run, (await driver.call(run)).call, 'exception', exception)

    const { kind, reply } = await driver.done(run)

    if (input === 'look') {
      assert.deepEqual(reply, [true, 'LoopException', 601, 'hop 3', 'c', ['a', 'b']])
    } else {
      assert.equal(kind, 'exception')
      assert.equal(typeof reply.stack, 'string')
      assert.deepEqual({ ...reply, stack: undefined }, { ...exception, stack: undefined })
    }
  }
})

test('refuses requests that cannot be sent', async (t) => {
  const { run } = await startOne(t, `export const effect = (input, { local }) => local.credit(...{ text: ['x'], list: [[]], nan: [{ input: { a: NaN } }], options: [{}, { timeout: 5 }] }[input])`, shop)

  for (const [wrong, message] of [
    ['text', /must be an object/],
    ['list', /must be an object/],
    ['nan', /^request\.input\.a is NaN, which JSON cannot hold$/],
    ['options', /only stateful operations/]
  ]) {
    const { reply } = await run(wrong)

    assert.equal(reply.code, 202, wrong)
    assert.match(reply.message, message)
  }
})

test('a run may end before its calls: late answers are dropped, later calls refused', async (t) => {
  const { driver, run } = await startOne(t, `let kept
export async function effect (input, context) {
  if (input === 'late') return kept.local.credit()
  kept = context
  context.local.credit()
  return 'gone'
}`, shop)

  const first = driver.start(0)
  const { call } = await driver.call(first)

  assert.equal((await driver.done(first)).reply, 'gone')
  driver.answer(first, call, 'output', 1)
  driver.answer(999, 0, 'exception', { name: 'X', message: 'x' })
  assert.match((await run('late')).reply.message, /called after the operation had returned/)
})

test('limits the calls of a run that wait', async (t) => {
  const { driver, run } = await startOne(t, 'export const effect = (input, { local }) => Promise.all(Array.from({ length: 10_001 }, () => local.credit()))', shop)

  driver.onMessage = null
  assert.match((await run()).reply.message, /More than 10000 calls wait/)
})

test('gives ids, time, chance and the facts of the application', async (t) => {
  const { run } = await startOne(t, `export function effect (input, context) {
  const { id, now, random, name, env, region, instance } = context
  const ids = Array.from({ length: 1000 }, () => id())
  return { ids, now: now() - Date.now(), random: random(), facts: [name, env, region, instance] }
}`, shop)

  const { reply } = await run()

  for (const id of reply.ids) assert.match(id, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)

  assert.equal(new Set(reply.ids).size, 1000)
  assert.ok(Math.abs(reply.now - 3_600_000) < 1000)
  assert.ok(reply.random >= 0 && reply.random < 1)
  assert.deepEqual(reply.facts, ['shop', 'local', 0, 'f3a9'])
})

test('configuration is frozen and its secrets are shown only by unwrap', async (t) => {
  const { run } = await startOne(t, `import { inspect } from 'node:util'
export function effect (input, { configuration: c }) {
  const tries = [() => { c.deep.list.push(1) }, () => { c.token = 1 }, () => { c.token.unwrap = 1 }]
  return [tries.map((attempt) => { try { attempt(); return 'done' } catch (error) { return error.name } }),
    c.token.unwrap(), String(c.token), JSON.stringify(c), inspect(c, { depth: 9, showHidden: true }), c.deep.key.unwrap()]
}`, { component: { configuration: { token: 'shh1', deep: { list: [], key: 'shh2' } }, secrets: [['token'], ['deep', 'key'], ['absent', 'x']] } })

  const { reply: [tries, token, text, json, shown, key] } = await run()

  assert.deepEqual([tries, token, key], [['TypeError', 'TypeError', 'TypeError'], 'shh1', 'shh2'])
  for (const output of [text, json, shown]) assert.doesNotMatch(output, /shh/)
})

test('members that are not there yet say so', async (t) => {
  const { run } = await startOne(t, 'export const effect = (input, context) => context[input]')

  for (const member of ['delay', 'storages', 'span', 'metrics', 'aspects']) {
    assert.equal((await run(member)).reply.message, `context.${member} is not available in this version of Toa`)
  }

  for (const member of ['state', 'stash']) {
    assert.equal((await run(member)).reply.message, `context.${member} is there once the manifest of 'shop.wallets' declares it: add '${member}: ~'`)
  }
})
