import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json } from '../testing/driver.mjs'
import { start, startOne } from '../testing/application.mjs'

test('gives input, state and context, and sends reply and state back', async (t) => {
  const { run } = await startOne(t, `export async function transition (input, entry, context) {
  entry.balance += input?.amount ?? 1
  return { balance: entry.balance, name: context.name }
}`)

  assert.deepEqual(await run({ amount: 5 }, { balance: 1 }), { kind: 'output', flags: 0, reply: { balance: 6, name: 'shop' }, state: { balance: 6 }, trailers: undefined })
  assert.deepEqual((await run(undefined, { balance: 1 })).state, { balance: 2 })
})

test('sends no reply where the very state was returned', async (t) => {
  const { run } = await startOne(t, 'export const transition = (input, entry) => { entry.x = "é"; return entry }')

  assert.deepEqual(await run(null, { a: 1 }), { kind: 'output', flags: 2, reply: undefined, state: { a: 1, x: 'é' }, trailers: undefined })
})

test('tells nothing from null', async (t) => {
  const { run } = await startOne(t, 'export const transition = (input, entry) => input.nothing ? undefined : null')

  assert.equal((await run({ nothing: true }, {})).reply, undefined)
  assert.equal((await run({}, {})).reply, null)
})

test('DISCARD keeps the state here, and sends it only as the reply', async (t) => {
  const { run } = await startOne(t, `export const transition = (input, entry) => {
  entry.n++
  entry.DISCARD = true
  entry.TRAILERS.x = 1
  return input.whole ? entry : entry.n
}`)

  assert.deepEqual(await run({}, { n: 1 }), { kind: 'output', flags: 1, reply: 2, state: undefined, trailers: undefined })
  assert.deepEqual(await run({ whole: true }, { n: 1 }), { kind: 'output', flags: 3, reply: undefined, state: { n: 2 }, trailers: undefined })
})

test('a DISCARD that is no boolean is refused, since it would be stored where a discard was meant', async (t) => {
  const { run } = await startOne(t, `export const transition = ({ mark }, state) => {
  state.n++
  ;(Array.isArray(state) ? state[0] : state).DISCARD = mark
}`)

  for (const [mark, shown] of [[1, '1'], ['yes', "'yes'"], [{}, '{}'], [0, '0']]) {
    for (const state of [{ n: 1 }, [{ n: 1 }, { n: 2 }]]) {
      const { kind, reply } = await run({ mark }, state)

      assert.deepEqual([kind, reply.name, reply.message], ['exception', 'TypeError', `DISCARD must be true or false, and is ${shown}`])
    }
  }

  assert.deepEqual((await run({ mark: null }, { n: 1 })).state, { n: 2 })
})

test('TRAILERS travel apart from the state, which neither JSON nor a spread shows', async (t) => {
  const { run } = await startOne(t, `export const transition = (input, entry) => {
  entry.TRAILERS.why = 'because'
  return [Object.keys(entry), { ...entry }, JSON.stringify(entry), entry.DISCARD]
}`)

  const { reply, state, trailers } = await run({}, { n: 1 })

  assert.deepEqual(reply, [['n'], { n: 1 }, '{"n":1}', false])
  assert.deepEqual(state, { n: 1 })
  assert.deepEqual(trailers, { why: 'because' })
})

test('leaves discarded entries out of a list by null, and keeps a trailer for each', async (t) => {
  const { run } = await startOne(t, `export const transition = (input, entries) => {
  for (const entry of entries) entry.n++
  if (input.discard) entries[1].DISCARD = true
  if (input.trail) entries[0].TRAILERS.x = 1
  return entries
}`)

  assert.deepEqual(await run({}, [{ n: 1 }, { n: 2 }]), { kind: 'output', flags: 2, reply: undefined, state: [{ n: 2 }, { n: 3 }], trailers: undefined })
  assert.deepEqual(await run({ discard: true, trail: true }, [{ n: 1 }, { n: 2 }]), { kind: 'output', flags: 2, reply: [{ n: 2 }, { n: 3 }], state: [{ n: 2 }, null], trailers: [{ x: 1 }, {}] })
})

test('sends the changeset of an assignment', async (t) => {
  const { run } = await startOne(t, 'export const assignment = (input, changeset) => { changeset.name = input.name }')

  assert.deepEqual(await run({ name: 'x' }, {}), { kind: 'output', flags: 0, reply: undefined, state: { name: 'x' }, trailers: undefined })
})

test('an observation sends what it returns, and never state', async (t) => {
  const { run } = await startOne(t, 'export const observation = (input, entry, context) => { if (entry) entry.seen = context.name; return entry }')

  assert.deepEqual(await run(null, { a: 1 }), { kind: 'output', flags: 0, reply: { a: 1, seen: 'shop' }, state: undefined, trailers: undefined })
  assert.equal((await run(null, null)).reply, null)
  assert.equal((await run(null, undefined)).reply, null)
})

test('gives the state where only the manifest knows the scope', async (t) => {
  const { run } = await startOne(t, 'const wrap = (f) => (...a) => f(...a)\nexport const effect = wrap((a, b, c) => [a, b.x ?? b.name, c?.name ?? 0])')

  assert.deepEqual((await run(1, { x: 2 })).reply, [1, 2, 'shop'])
  assert.deepEqual((await run(1)).reply, [1, 'shop', 0])
})

test('a returned Error is a refusal with a code and a cause of JSON', async (t) => {
  const { run } = await startOne(t, `export const transition = (input, entry) => {
  switch (input) {
    case 0: return new Error('POOR')
    case 1: return Object.assign(new RangeError('POOR', { cause: { left: 3 } }), { other: 1 })
    case 2: return new Error()
    case 3: return new Error('POOR', { cause: new Map() })
  }
}`)

  assert.deepEqual(await run(0, {}), { kind: 'error', flags: 0, reply: { code: 'POOR' }, state: undefined, trailers: undefined })
  assert.deepEqual((await run(1, {})).reply, { code: 'POOR', cause: { left: 3 } })
  assert.equal((await run(2, {})).kind, 'exception')
  assert.match((await run(3, {})).reply.message, /^cause is a Map, which JSON cannot hold$/)
})

const thrown = [
  "new TypeError('bad', { cause: { a: 1 } })", 'null', 'undefined', '5', "'text'", 'Object.freeze(new Error("frozen"))', 'Symbol("s")', '10n',
  'Object.defineProperty(new Error("x"), "message", { get () { throw 1 } })',
  'new Proxy(new Error("p"), { get () { throw 1 }, getPrototypeOf () { throw 2 }, ownKeys () { throw 3 } })',
  'Object.assign(new Error("c"), { cause: { get a () { throw 1 } }, code: 202, trail: [1] })', 'Object.create(null)', '() => 1',
  '{ get then () { throw 1 } }'
]

for (const way of ['function', 'async function']) {
  test(`whatever a ${way} throws is an exception, and the worker goes on`, async (t) => {
    const { run } = await startOne(t, `export ${way} effect (input) { throw [${thrown.map((value) => `() => (${value})`)}][input]() }`)
    const replies = []

    for (const i of thrown.keys()) {
      const { kind, reply } = await run(i)

      assert.equal(kind, 'exception')
      assert.equal(typeof reply.name + typeof reply.message + typeof reply.stack, 'stringstringstring', thrown[i])
      assert.equal(reply.code, undefined)
      replies.push(reply)
    }

    assert.deepEqual([replies[0].name, replies[0].message, replies[0].cause], ['TypeError', 'bad', { a: 1 }])
    assert.equal(replies[4].message, 'text')
  })
}

test('refuses what JSON cannot hold and says where it stands', async (t) => {
  const { run } = await startOne(t, `const values = {
  nan: () => ({ items: [{}, {}, { price: NaN }] }), infinite: () => [-Infinity], fn: () => ({ a: () => 1 }), symbol: () => [Symbol('x')], big: () => ({ 'a b': 1n }),
  map: () => ({ m: new Map() }), set: () => new Set(), promise: () => ({ p: Promise.resolve() }),
  cycle: () => { const a = { b: {} }; a.b.c = a; return a },
  deep: () => { let a = {}; for (let i = 0; i < 150; i++) a = { a }; return a },
  fan: () => { let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a.concat(NaN).flat(1).slice(1) },
  fine: () => ({ a: undefined, d: new Date(0), n: null, o: Object.create(null), c: new (class { x = 1 })(), s: '\\ud800é' })
}
export const computation = (input) => values[input]()`)

  const message = async (name) => (await run(name)).reply.message

  assert.equal(await message('nan'), 'reply.items[2].price is NaN, which JSON cannot hold')
  assert.equal(await message('infinite'), 'reply[0] is an infinity, which JSON cannot hold')
  assert.equal(await message('fn'), 'reply.a is a function, which JSON cannot hold')
  assert.equal(await message('symbol'), 'reply[0] is a symbol, which JSON cannot hold')
  assert.equal(await message('big'), 'reply["a b"] is a BigInt, which JSON cannot hold')
  assert.equal(await message('map'), 'reply.m is a Map, which JSON cannot hold')
  assert.equal(await message('set'), 'reply is a Set, which JSON cannot hold')
  assert.match(await message('promise'), /^reply\.p is a promise/)
  assert.equal(await message('cycle'), 'reply.b.c is a cycle, which JSON cannot hold')
  assert.match(await message('deep'), /nested deeper than 100 levels$/)
  assert.match(await message('fan'), /^reply/)
  assert.deepEqual((await run('fine')).reply, { d: '1970-01-01T00:00:00.000Z', n: null, o: {}, c: { x: 1 }, s: '\ud800é' })
})

test('runs many at once and answers each', async (t) => {
  const { driver } = await startOne(t, 'export const transition = async (input, entry) => { for (let i = 0; i < input % 5; i++) await i; entry.n = input; return entry }')
  const runs = Array.from({ length: 1000 }, (_, i) => [i, driver.start(0, i, { text: 'ü'.repeat(i) })])

  for (const [i, run] of runs) assert.deepEqual((await driver.done(run)).state, { text: 'ü'.repeat(i), n: i })
})

test('carries documents of many megabytes, larger than any buffer', async (t) => {
  const { driver } = await startOne(t, 'export const computation = (input) => input + input')
  const runs = Array.from({ length: 4 }, (_, i) => driver.start(0, String(i).repeat(5_000_000)))

  for (const [i, run] of runs.entries()) assert.equal((await driver.done(run)).reply, String(i).repeat(10_000_000))
})

test('refuses a reply that no frame can carry', async (t) => {
  const { run } = await startOne(t, 'export const computation = () => "x".repeat(65 * 1024 * 1024)')

  assert.match((await run()).reply.message, /reply is larger than \d+ bytes/)
})

test('answers a ping, also between runs that wait', async (t) => {
  const { driver } = await startOne(t, 'export const effect = (input, context) => context.local.credit()')
  const run = driver.start(0)
  const { call } = await driver.call(run)

  driver.send(['ping', 7])
  assert.deepEqual(await driver.next('pong'), ['pong', 7])
  driver.send(['answer', run, call, 'output', json(1)])
  assert.equal((await driver.done(run)).reply, 1)
})

test('stop waits for what is running', async (t) => {
  const { driver } = await startOne(t, 'export const effect = (input, context) => context.local.credit()')
  const run = driver.start(0)
  const { call } = await driver.call(run)

  driver.send(['stop'], ['ping', 1])
  await driver.next('pong')
  driver.answer(run, call, 'output', 5)
  assert.equal((await driver.done(run)).reply, 5)
  assert.equal(await driver.exited, 0)
})

test('ends at once when the socket closes, whatever the code keeps open', async (t) => {
  const { driver, run } = await startOne(t, `import net from 'node:net'
export const effect = () => { net.createServer().listen(0); setInterval(() => {}, 1000); process.on('exit', () => { for (;;) ; }) }`)

  await run()
  assert.equal(await driver.close(), 0)
})

test('hands its socket to no process that it starts', async (t) => {
  const { run } = await startOne(t, `import { execFileSync } from 'node:child_process'
export const effect = () => execFileSync('sh', ['-c', 'ls -l /proc/self/fd; echo "$TOA_BRIDGE_FD"']).toString()`)

  const { reply } = await run()

  assert.doesNotMatch(reply, / ([3-9]|\d\d+) -> socket/)
  assert.match(reply, /\n\n$/)
})

test('an application without operations loads', async (t) => {
  assert.deepEqual((await start(t, {})).loaded, [])
})
