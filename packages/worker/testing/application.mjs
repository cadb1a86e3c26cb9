// Small applications in temporary folders, and a worker that runs one.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Driver } from './driver.mjs'

/** The number of the events of the component, of its first receiver, and of its guards. */
export const eventsNumber = 100
export const receiversNumber = 200
export const guardsNumber = 300

/**
 * Writes `files` (path to text) and starts a worker. Files named `operations/<name>.*` of the component `shop.wallets`
 * are its operations, `events/<event>.*` its events, `receivers/<label>.*` its receivers, `guards/<name>.*` its guards; `application` and `component`
 * are merged into what is sent.
 */
export async function start (t, files, { application = {}, component = {}, driver: options, type } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'toa-worker-'))
  const path = join(root, 'components/shop.wallets')

  t.after(() => rmSync(root, { recursive: true, force: true }))

  const write = (name, text) => {
    const file = name.startsWith('/') ? join(root, name) : join(path, name)

    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)

    return file
  }

  if (type !== undefined) write('/package.json', JSON.stringify({ type }))

  const operations = []
  const events = { number: eventsNumber, files: [] }
  const guards = { number: guardsNumber, files: [] }
  const receivers = []

  for (const [name, text] of Object.entries(files)) {
    const file = write(name, text)
    const [, folder, stem] = /^(operations|events|receivers|guards)\/([^/]+)\.[mc]?[jt]s$/.exec(name) ?? []

    if (folder === 'operations') operations.push({ number: operations.length, name: stem, file })
    if (folder === 'events') events.files.push({ event: stem, file })
    if (folder === 'guards') guards.files.push({ guard: stem, file })
    if (folder === 'receivers') receivers.push({ number: receiversNumber + receivers.length, event: stem, file })
  }

  const code = { receivers }

  if (events.files.length > 0) code.events = events
  if (guards.files.length > 0) code.guards = guards

  const driver = new Driver(options)

  t.after(() => driver.close())

  const loaded = await driver.load({
    name: 'shop', env: 'local', region: 0, instance: 'f3a9', clock_ms: 0,
    components: [{ id: 'shop.wallets', namespace: 'shop', name: 'wallets', path, operations, ...code, configuration: {}, secrets: [], ...component }],
    endpoints: { 'shop.wallets.credit': { stateful: false } },
    ...application
  })

  const numbers = Object.fromEntries(operations.map(({ name, number }) => [name, number]))

  return { driver, loaded: loaded.operations, node: loaded.node, path, root, number: (name) => numbers[name] }
}

/** A worker with one operation, given as the source of a module. */
export async function startOne (t, source, options) {
  const started = await start(t, { 'operations/one.mjs': source }, options)

  return { ...started, run: (input, state) => started.driver.run(0, input, state) }
}
