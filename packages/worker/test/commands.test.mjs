import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../testing/application.mjs'

const number = 400

/** A worker with these run commands. */
async function startWith (t, commands, { component = {}, operations = {} } = {}) {
  const files = Object.fromEntries(Object.entries(operations).map(([name, text]) => [`operations/${name}.mjs`, text]))
  const started = await start(t, files, { component: { ...component, commands: await written(t, commands) } })

  return { ...started, enter: (stage) => started.driver.run(number, stage) }
}

async function written (t, commands) {
  const { mkdtempSync, rmSync, writeFileSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { join } = await import('node:path')
  const folder = mkdtempSync(join(tmpdir(), 'toa-rc-'))

  t.after(() => rmSync(folder, { recursive: true, force: true }))

  return {
    number,
    files: Object.entries(commands).map(([command, text]) => {
      const file = join(folder, `${command}.mjs`)

      writeFileSync(file, text)

      return { command, file }
    })
  }
}

test('run one after another, and share the state with operations', async (t) => {
  const { enter, driver, loaded } = await startWith(t, {
    'a-first': 'export const preflight = async ({ state }) => { await null; state.seen = [1] }',
    'b-second': 'export const preflight = ({ state }) => { state.seen.push(2) }; export const ready = ({ state }) => { state.seen.push(3) }'
  }, { component: { state: true }, operations: { seen: 'export const computation = (input, { state }) => state.seen' } })

  assert.deepEqual(loaded.find(({ type }) => type === 'commands'), { number, type: 'commands', scope: null, form: 'function' })
  assert.equal((await enter('preflight')).kind, 'output')
  assert.equal((await enter('settle')).kind, 'output')
  assert.equal((await enter('ready')).kind, 'output')
  assert.deepEqual((await driver.run(0)).reply, [1, 2, 3])
})

test('call operations while they run', async (t) => {
  const { driver } = await startWith(t, { warm: 'export const settle = async ({ local }) => { await local.credit() }' })
  const run = driver.start(number, 'settle')
  const { call, endpoint } = await driver.call(run)

  assert.equal(endpoint, 'shop.wallets.credit')
  driver.answer(run, call, 'output', 1)
  assert.equal((await driver.done(run)).kind, 'output')
})

test('name the file, the line and the stage of what failed', async (t) => {
  const { enter } = await startWith(t, { connect: '\nexport const ready = () => { throw new TypeError("closed") }' })
  const { kind, reply } = await enter('ready')

  assert.equal(kind, 'exception')
  assert.match(reply.message, /\/connect\.mjs:2: Run command 'connect' of 'shop\.wallets' failed in 'ready': closed$/)
})

test('are refused where they export nothing that runs, or what is never resumed', async (t) => {
  const { loaded } = await startWith(t, {
    a: 'export const nothing = 1',
    b: 'export const pause = () => {}',
    c: 'export const ready = 5'
  })
  const errors = loaded.map(({ error }) => error)

  assert.match(errors[0], /exports 'nothing', but a run command exports at least one of the functions 'preflight', /)
  assert.match(errors[1], /exports 'pause' without 'resume'/)
  assert.match(errors[2], /exports 'ready' that is a number/)
})
