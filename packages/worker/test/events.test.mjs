import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsNumber, start } from '../testing/application.mjs'

const change = { origin: { balance: 1 }, state: { balance: 6 }, trailers: { why: 'gift' }, input: { amount: 5 } }

async function startEvents (t, events, options) {
  const files = Object.fromEntries(Object.entries(events).map(([name, source]) => [`events/${name}`, source]))
  const app = await start(t, files, options)

  return { ...app, announce: (given = change) => app.driver.run(eventsNumber, given) }
}

const output = (reply) => ({ kind: 'output', flags: 0, reply, state: undefined, trailers: undefined })

test('announces what conditions admit, with the payload or the new state', async (t) => {
  const { announce, loaded } = await startEvents(t, {
    'credited.ts': `interface Change { state: { balance: number }, origin: { balance: number } | null }
export const condition = ({ state, origin }: Change): boolean => state.balance > (origin?.balance ?? 0)
export const payload = ({ state, origin }: Change) => ({ amount: state.balance - (origin?.balance ?? 0) })`,
    'opened.ts': 'export const condition = ({ origin }: any) => origin === null',
    'moved.ts': 'export async function payload (event: any) { return event.input.amount }'
  })

  assert.deepEqual(loaded, [{ number: eventsNumber, type: 'events', scope: null, form: 'function' }])
  assert.deepEqual(await announce(), output({ credited: { amount: 5 }, moved: 5 }))
  assert.deepEqual(await announce({ ...change, origin: null }), output({ credited: { amount: 6 }, opened: { balance: 6 }, moved: 5 }))
  assert.deepEqual(await announce({ ...change, origin: { balance: 9 } }), output({ moved: 5 }))
})

test('gives origin null, trailers {} and input null where there are none', async (t) => {
  const { announce } = await startEvents(t, { 'seen.cjs': 'exports.payload = (event) => event' })

  assert.deepEqual((await announce({ state: { n: 1 } })).reply.seen, { state: { n: 1 }, origin: null, input: null, trailers: {} })
  assert.deepEqual((await announce()).reply.seen, change)
})

test('awaits conditions and payloads, in the order of the files', async (t) => {
  const { announce } = await startEvents(t, {
    'a.mjs': 'export const condition = async () => { await null; return false }\nexport const payload = () => 1',
    'b.mjs': 'export const condition = async () => true\nexport const payload = async () => 2',
    'c.mjs': 'export const condition = async () => true',
    'd.mjs': 'export const payload = () => new Promise((resolve) => setTimeout(resolve, 1, 4))',
    'e.mjs': 'export const payload = () => {}'
  })

  const { reply } = await announce()

  assert.deepEqual(reply, { b: 2, c: { balance: 6 }, d: 4, e: null })
  assert.deepEqual(Object.keys(reply), ['b', 'c', 'd', 'e'])
})

test('no event sees what the code of another did to the change', async (t) => {
  const { announce } = await startEvents(t, {
    'a.mjs': 'export const payload = ({ state }) => { delete state.balance; state.x = 1; return state }',
    'b.mjs': 'export const condition = () => true',
    'c.mjs': 'export const payload = async (event) => { event.state.balance++; return event.state }'
  })

  assert.deepEqual((await announce()).reply, { a: { x: 1 }, b: { balance: 6 }, c: { balance: 7 } })
})

test('one that throws ends the run, and is named', async (t) => {
  for (const source of [
    'export const condition = () => { throw new RangeError("no") }',
    'export const payload = () => { throw new RangeError("no") }',
    'export const condition = async () => { throw new RangeError("no") }',
    'export const condition = async () => true\nexport const payload = () => { throw new RangeError("no") }',
    'export const payload = async () => { throw new RangeError("no") }'
  ]) {
    const { announce } = await startEvents(t, { 'fine.mjs': 'export const payload = async () => 1', 'paid.mjs': source, 'last.mjs': source })
    const { kind, reply: { name, message, stack } } = await announce()

    assert.deepEqual([kind, name, message], ['exception', 'RangeError', "Event 'paid': no"], source)
    assert.match(stack, /events\/paid\.mjs:\d/)
    assert.doesNotMatch(stack, /worker\.mjs/)
  }
})

test('names the place of a value that JSON cannot hold', async (t) => {
  for (const [source, message] of [
    ['() => ({ amount: NaN })', 'paid.amount is NaN, which JSON cannot hold'],
    ['async () => ({ at: [new Map()] })', 'paid.at[0] is a Map, which JSON cannot hold'],
    ['() => new Error("X")', 'paid is an Error, which JSON cannot hold'],
    ['() => { throw "text" }', "Event 'paid': text"],
    ['() => { throw undefined }', "Event 'paid': undefined"]
  ]) {
    const { announce } = await startEvents(t, { 'paid.mjs': `export const payload = ${source}` })
    const { kind, reply } = await announce()

    assert.deepEqual([kind, reply.message], ['exception', message])
  }
})

test('a payload whose JSON form is nothing is null', async (t) => {
  const { announce } = await startEvents(t, { 'a.mjs': 'export const payload = () => ({ toJSON () {} })' })

  assert.deepEqual((await announce()).reply, { a: null })
})

test('gives the context of operations, whose calls throw', async (t) => {
  const { announce } = await startEvents(t, {
    'a.mjs': 'export const condition = (event, { name }) => name === "shop"\nexport const payload = (event, { configuration, now }) => [configuration.max, typeof now()]'
  }, { component: { configuration: { max: 5 } } })

  assert.deepEqual((await announce()).reply, { a: [5, 'number'] })

  for (const call of ['remote.shop.wallets.credit({})', 'local.credit({})']) {
    const { announce } = await startEvents(t, { 'a.mjs': `export const condition = (event, { remote, local }) => { ${call}; return true }` })
    const { kind, reply } = await announce()

    assert.equal(kind, 'exception')
    assert.match(reply.message, /^Event 'a': 'shop\.wallets\.credit' was called by an event/)
  }
})

test('reports each file of the events that is wrong, with its line', async (t) => {
  const app = await startEvents(t, {
    'fine.ts': 'export const condition = () => true',
    'nothing.ts': 'export const helper = 1',
    'blank.ts': 'export {}',
    'kind.ts': 'export const payload = { a: 1 }',
    'class.ts': 'export class condition {}',
    'syntax.ts': '\n\nexport const payload = () => 1 +',
    'throws.ts': '\nthrow new Error("at once")\nexport const payload = () => 1'
  })

  const faults = app.loaded.map(({ number, error, file, line }) => [number, error, file.slice(app.path.length + 1), line])

  for (const [number] of faults) assert.equal(number, eventsNumber)

  assert.deepEqual(faults.slice(0, 4).map(([, ...fault]) => fault), [
    ["Event 'nothing' of 'shop.wallets' exports 'helper', but an event exports the function 'condition', 'payload' or both", 'events/nothing.ts', undefined],
    ["Event 'blank' of 'shop.wallets' exports nothing, but an event exports the function 'condition', 'payload' or both", 'events/blank.ts', undefined],
    ["Event 'kind' of 'shop.wallets' exports 'payload' that is an object, but it must be a function", 'events/kind.ts', undefined],
    ["Event 'class' of 'shop.wallets' exports 'condition' that is a class, but it must be a function", 'events/class.ts', undefined]
  ])
  assert.match(faults[4][1], /^Event 'syntax' of 'shop\.wallets' cannot be loaded: /)
  assert.deepEqual([faults[4][3], faults[5][3]], [3, 2])
})

test('stops with events and receivers loaded', async (t) => {
  const { driver } = await startEvents(t, { 'a.mjs': 'export const condition = () => true' })

  driver.send(['stop'])
  assert.equal(await driver.exited, 0)
})
