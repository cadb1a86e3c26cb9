import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../testing/application.mjs'

const forms = {
  a: ['export async function transition (input: any, entry: { x: number }) {}', 'transition', 'entry', 'function'],
  b: ['export const observation = async (input, entries) => []', 'observation', 'entries', 'function'],
  c: ['export function assignment (/* (a, b) */ input = { a: [1, ")"], b: `${1 + 1},` }, changeset // the changes\n ) {}', 'assignment', 'changeset', 'function'],
  d: ['export async function* observation (input: string, stream: AsyncIterable<string>) { yield 1 }', 'observation', 'stream', 'function'],
  e: ['export const computation = input => input', 'computation', 'none', 'function'],
  f: ['export const effect = (input, { remote, logs }) => {}', 'effect', 'none', 'function'],
  g: ['export const effect = ({ a, b: [c] = [1, 2] } = {}, entry) => {}', 'effect', 'entry', 'function'],
  h: ['export const effect = (input, context) => {}', 'effect', 'none', 'function'],
  i: ['const wrap = (f) => (...args) => f(...args)\nexport const transition = wrap(() => {})', 'transition', null, 'function'],
  j: ['export const effect = (function (input, entry) {}).bind(null)', 'effect', null, 'function'],
  k: ['export const transition = (input, state) => {}', 'transition', null, 'function'],
  l: ['export class Transition { execute (input, entry, context) {} }', 'transition', 'entry', 'class'],
  m: ['export class Computation { async execute (input, context) {} }', 'computation', 'none', 'class'],
  n: ['export class EntriesObservationFactory { create () { return { execute: (a, b) => 1 } } }', 'observation', 'entries', 'factory'],
  o: ['export class EffectFactory { create () { return { async execute (input, entry) {} } } }', 'effect', 'entry', 'factory'],
  p: ['export const unmanaged = async (input, client) => {}', 'unmanaged', 'none', 'function'],
  q: ['export const helper = 1\nexport default 2\nexport const effect = (input = /[,)]/.source, entry = null) => {}', 'effect', 'entry', 'function'],
  r: ['class T { ["execute"] (input: string, entry?: any) {} }\nexport { T as Transition }', 'transition', 'entry', 'class'],
  s: ['export function transition (this: void, input: Record<string, [number, string]>, entry) { return entry }', 'transition', 'entry', 'function']
}

test('reads the type, the scope and the form of an operation from its code', async (t) => {
  const files = Object.fromEntries(Object.entries(forms).map(([name, [source]]) => [`operations/${name}.ts`, source]))
  const { loaded } = await start(t, files)

  for (const [i, [name, [, type, scope, form]]] of Object.entries(forms).entries()) {
    assert.deepEqual(loaded[i], { number: i, type, scope, form }, name)
  }
})

test('mounts a class once before its first run and unmounts it when the worker stops', async (t) => {
  const { driver } = await start(t, {
    'operations/a.mjs': `export class Effect {
  mounted = 0
  async mount (context) { this.context = context; await null; this.mounted++ }
  async execute (input) { return [this.mounted, await this.context.local.credit({ input })] }
  async unmount () { console.log('unmounted') }
}`
  })

  const runs = [driver.start(0, 1), driver.start(0, 2)]

  for (const run of runs) {
    const { call, where, endpoint, request } = await driver.call(run)

    assert.deepEqual([call, where, endpoint], [0, 'local', 'shop.wallets.credit'])
    driver.answer(run, call, 'output', request.input * 10)
  }

  assert.deepEqual((await driver.done(runs[0])).reply, [1, 10])
  assert.deepEqual((await driver.done(runs[1])).reply, [1, 20])

  driver.send(['stop'])
  assert.equal((await driver.next('log'))[3], 'unmounted')
  assert.equal(await driver.exited, 0)
})

test('a mount that fails fails the run and is tried again', async (t) => {
  const { driver } = await start(t, {
    'operations/a.mjs': `let n = 0
export class Computation { mount () { if (n++ === 0) throw new Error('not yet') } execute () { return n } }`
  })

  assert.equal((await driver.run(0)).reply.message, 'not yet')
  assert.equal((await driver.run(0)).reply, 2)
})
