import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardsNumber, start } from '../testing/application.mjs'

async function startGuards (t, guards, options) {
  const files = Object.fromEntries(Object.entries(guards).map(([name, source]) => [`guards/${name}`, source]))
  const app = await start(t, files, options)

  return { ...app, judge: (...changes) => app.driver.run(guardsNumber, changes) }
}

const to = (balance, origin = null) => ({ state: { balance }, origin })

test('let a change pass by true alone', async (t) => {
  const { judge, loaded } = await startGuards(t, {
    'least.ts': 'export const guard = (state: any, origin: any) => state.balance >= (origin?.balance ?? 0)',
    'truth.mjs': 'export const guard = (state) => state.balance > 100 ? 1 : true'
  })

  assert.deepEqual(loaded, [{ number: guardsNumber, type: 'guards', scope: null, form: 'function' }])
  assert.equal((await judge(to(1), to(2, { balance: 1 }))).reply, null)
  assert.deepEqual((await judge(to(1), to(1, { balance: 2 }))).reply, { guard: 'least', change: 1 })
  assert.deepEqual((await judge(to(101))).reply, { guard: 'truth', change: 0 })
})

test('no guard sees what another did to the change', async (t) => {
  const { judge } = await startGuards(t, {
    'a.mjs': 'export const guard = (state) => { state.balance = 0; return true }',
    'b.mjs': 'export const guard = (state, origin) => state.balance === 5 && origin === null'
  })

  assert.equal((await judge(to(5))).reply, null)
})

test('one that throws ends the run, and is named', async (t) => {
  const { judge } = await startGuards(t, { 'a.mjs': 'export const guard = () => { throw new RangeError("no") }' })
  const { kind, reply: { name, message, stack } } = await judge(to(1))

  assert.deepEqual([kind, name, message], ['exception', 'RangeError', "Guard 'a': no"])
  assert.match(stack, /guards\/a\.mjs:\d/)
})

test('have the context, and make no calls', async (t) => {
  const { judge } = await startGuards(t, {
    'a.mjs': 'export const guard = (state, origin, { configuration }) => state.balance <= configuration.max',
    'b.mjs': 'export const guard = (state, origin, { local }) => { local.credit({}); return true }'
  }, { component: { configuration: { max: 5 } } })

  assert.deepEqual((await judge(to(6))).reply, { guard: 'a', change: 0 })
  assert.match((await judge(to(5))).reply.message, /^Guard 'b': 'shop\.wallets\.credit' was called by a guard/)
})

test('that cannot be used are reported', async (t) => {
  const { loaded } = await startGuards(t, {
    'late.mjs': 'export async function guard () { return true }',
    'other.mjs': 'export const check = () => true'
  })

  assert.match(loaded[0].error, /^Guard 'late' of 'shop\.wallets' exports 'guard' that is async/)
  assert.equal(loaded[1].error, "Guard 'other' of 'shop.wallets' exports 'check', but a guard exports the function 'guard'")
})
