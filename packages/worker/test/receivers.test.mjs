import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiversNumber, start } from '../testing/application.mjs'

async function startReceiver (t, source, name = 'shop.topups.paid.mjs') {
  const app = await start(t, { [`receivers/${name}`]: source })

  return { ...app, receive: (payload, args) => app.driver.run(receiversNumber, payload, args) }
}

const output = (reply, flags = 0) => ({ kind: 'output', flags, reply, state: undefined, trailers: undefined })

test('makes a request of the payload and the arguments', async (t) => {
  const { receive, loaded } = await startReceiver(t, `interface Paid { wallet: string, amount: number }
export const request = ({ wallet, amount }: Paid, ...rest: string[]) => ({ query: { id: wallet }, input: { amount, rest } })`, 'shop.topups.paid.ts')

  assert.deepEqual(loaded, [{ number: receiversNumber, type: 'receiver', scope: null, form: 'function' }])
  assert.deepEqual(await receive({ wallet: 'w', amount: 5 }, ['a', 'b']), output({ query: { id: 'w' }, input: { amount: 5, rest: ['a', 'b'] } }))
  assert.deepEqual(await receive({ wallet: 'w', amount: 5 }, []), output({ query: { id: 'w' }, input: { amount: 5, rest: [] } }))
  assert.deepEqual(await receive({ wallet: 'w', amount: 5 }), output({ query: { id: 'w' }, input: { amount: 5, rest: [] } }))
})

test('takes the payload for the input where there is no request', async (t) => {
  const { receive } = await startReceiver(t, 'exports.condition = async (payload) => payload !== 0', 'loan_settled.cjs')

  assert.deepEqual(await receive({ a: 1 }), output({ input: { a: 1 } }))
  assert.deepEqual(await receive(null), output({ input: null }))
})

test('discards where the condition does not hold, without making a request', async (t) => {
  for (const async of ['', 'async ']) {
    const { receive } = await startReceiver(t, `export const condition = ${async}({ amount }) => amount > 0
export const request = ${async}({ amount }) => { if (amount <= 0) throw new Error('made'); return { input: amount } }`)

    assert.deepEqual(await receive({ amount: 0 }), output(undefined, 1))
    assert.deepEqual(await receive({ amount: 1 }), output({ input: 1 }))
  }
})

test('what it throws ends the run as an exception', async (t) => {
  for (const source of ['condition = () =>', 'condition = async () =>', 'request = () =>', 'request = async () =>']) {
    const { receive } = await startReceiver(t, `export const ${source} { throw new RangeError('no') }`)
    const { kind, reply: { name, message, stack } } = await receive({})

    assert.deepEqual([kind, name, message], ['exception', 'RangeError', 'no'])
    assert.match(stack, /receivers\/shop\.topups\.paid\.mjs:1/)
  }
})

test('refuses a request that cannot be sent', async (t) => {
  const wrong = "The request of receiver 'shop.topups.paid' must be an object with properties such as 'input' and 'query'"

  for (const [source, message] of [
    ['() => {}', wrong],
    ['() => null', wrong],
    ['() => undefined', wrong],
    ['async () => "text"', wrong],
    ['() => []', wrong],
    ['() => ({ input: { amount: 0 / 0 } })', 'request.input.amount is NaN, which JSON cannot hold'],
    ['async () => ({ input: 1n })', 'request.input is a BigInt, which JSON cannot hold']
  ]) {
    const { receive } = await startReceiver(t, `export const request = ${source}`)
    const { kind, reply } = await receive({})

    assert.deepEqual([kind, reply.code, reply.message], ['exception', 202, message], source)
  }
})

test('reports a receiver that is wrong', async (t) => {
  const app = await start(t, {
    'receivers/a.mjs': 'export const payload = () => {}',
    'receivers/b.mjs': 'export const request = "x"',
    'receivers/c.mjs': '\n\nundefined.x'
  })

  const [a, b, c] = app.loaded

  assert.equal(a.error, "Receiver 'a' of 'shop.wallets' exports 'payload', but a receiver exports the function 'condition', 'request' or both")
  assert.equal(b.error, "Receiver 'b' of 'shop.wallets' exports 'request' that is a string, but it must be a function")
  assert.match(c.error, /^Receiver 'c' of 'shop\.wallets' cannot be loaded: /)
  assert.deepEqual([a.number, b.number, c.number], [200, 201, 202])
  assert.equal(c.line, 3)
})
