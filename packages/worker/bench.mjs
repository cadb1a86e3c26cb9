// Measures the bundled worker over a socket pair: its start, a lone run, many runs in flight.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Driver } from './testing/driver.mjs'
import { encodeFrame } from './src/frames.mjs'

const folder = mkdtempSync(join(tmpdir(), 'toa-bench-'))
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]

const sources = {
  empty: 'export function computation () {}',
  credit: `interface Wallet { balance: number, currency: string }

export function transition (request: { amount: number }, entry: Wallet): Wallet {
  entry.balance = entry.balance + request.amount
  return entry
}
`
}

const adapters = {
  credited: `type Change = { state: { balance: number }, origin: { balance: number } | null }

export const condition = ({ state, origin }: Change): boolean => state.balance > (origin?.balance ?? 0)
export const payload = ({ state, origin }: Change) => ({ amount: state.balance - (origin?.balance ?? 0) })
`,
  paid: `export const request = (payload: { wallet: string, amount: number }, reason: string) =>
  ({ query: { id: payload.wallet }, input: { amount: payload.amount, reason } })
`
}

function written (name, extension, source) {
  const file = join(folder, `${name}.${extension}`)

  writeFileSync(file, source)

  return file
}

function application (extension, names, code = {}) {
  const operations = names.map((name, number) => ({ number, name, file: written(name, extension, sources[name] ?? sources.credit) }))

  return {
    name: 'bench', env: 'local', region: 0, instance: 'bench', clock_ms: 0,
    components: [{ id: 'bench.wallets', namespace: 'bench', name: 'wallets', path: folder, operations, ...code, configuration: {}, secrets: [] }],
    endpoints: {}
  }
}

/** Events and a receiver, numbered from `number`. */
function adapting (extension, number) {
  const { credited, paid } = adapters

  return {
    events: { number, files: [{ event: 'credited', file: written('credited', extension, credited) }] },
    receivers: [{ number: number + 1, event: 'bench.topups.paid', file: written('paid', extension, paid) }]
  }
}

async function measureStart (extension) {
  const names = Array.from({ length: 10 }, (_, i) => `operation${i}`)
  const app = application(extension, names)
  const times = []

  for (let i = 0; i < 11; i++) {
    const driver = new Driver()

    await driver.load(app)
    times.push(performance.now() - driver.started)
    await driver.close()
  }

  console.log(`start to loaded, 10 .${extension} operations   ${median(times).toFixed(1)} ms (best ${times[0].toFixed(1)})`)
}

/** Processor time that the worker has taken so far, all its threads, in microseconds. */
function processorTime ({ child: { pid } }) {
  const ticks = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')

  return (Number(ticks[11]) + Number(ticks[12])) * 10_000 // utime and stime, in hundredths of a second
}

/** Runs `total` times with `width` in flight; what is answered is asked again, a frame for a frame. */
function measureRuns (driver, operation, documents, width, total) {
  const lengths = documents.map((document) => Buffer.byteLength(document))
  const bytes = lengths.reduce((sum, length) => sum + length, 0)
  const [input = -1, state = -1] = lengths
  let next = 0
  let done = 0
  let owed = width

  const fill = () => {
    const count = Math.min(owed, total - next)
    const heads = []
    const bodies = []

    owed -= count

    for (let i = 0; i < count; i++) {
      heads.push(`["run",${next++},${operation},${input},${state},0]`)
      bodies.push(...documents)
    }

    if (count > 0) driver.socket.write(encodeFrame(heads, bodies, bytes * count))
  }

  return new Promise((resolve, reject) => {
    const started = performance.now()
    let scheduled = false

    driver.onMessage = (message) => {
      if (message[2] !== 'output') return reject(new Error(JSON.stringify(message)))

      owed++

      if (++done === total) {
        driver.onMessage = null

        return resolve((performance.now() - started) * 1000 / total)
      }

      if (scheduled) return

      scheduled = true
      queueMicrotask(() => {
        scheduled = false
        fill()
      })
    }

    fill()
  })
}

const wallet = JSON.stringify({ id: '8d1f0c2e5a7b4c3d9e6f1a2b3c4d5e6f', balance: 100, currency: 'EUR', VERSION: 3, CREATED: 1, UPDATED: 2, DELETED: null, REGION: 0 })

try {
  await measureStart('ts')

  const driver = new Driver()

  await driver.load(application('ts', ['empty', 'credit'], adapting('ts', 2)))

  const change = `{"origin":${wallet},"state":${wallet.replace('100', '101')},"trailers":{},"input":{"amount":1}}`
  const payload = '{"wallet":"8d1f0c2e5a7b4c3d9e6f1a2b3c4d5e6f","amount":1}'

  const runs = [
    ['empty', 0, []],
    ['credit', 1, ['{"amount":1}', wallet]],
    ['events', 2, [change]],
    ['receiver', 3, [payload, '["top-up"]']]
  ]

  for (const [name, operation, documents] of runs) {
    for (const [width, total] of [[1, 20_000], [16, 100_000], [128, 200_000]]) {
      await measureRuns(driver, operation, documents, width, total / 4)

      const times = []
      const before = processorTime(driver)

      for (let i = 0; i < 3; i++) times.push(await measureRuns(driver, operation, documents, width, total))

      const own = (processorTime(driver) - before) / (3 * total)

      console.log(`${name.padEnd(8)} ${String(width).padStart(3)} in flight   ${median(times).toFixed(2)} µs a run, ${own.toFixed(2)} µs of the worker's own`)
    }
  }

  await driver.close()
} finally {
  rmSync(folder, { recursive: true })
}
