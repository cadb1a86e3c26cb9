// A worker for tests: it speaks the protocol, its operations are built in and found by name, and many of them misbehave.
import fs from 'node:fs'
import net from 'node:net'

const socket = new net.Socket({ fd: Number(process.env.TOA_BRIDGE_FD), readable: true, writable: true })
const waiting = new Map()
const operations = []
let running = 0
let counted = 0
let stopping = false

function frame(head, body) {
  const prefix = Buffer.alloc(8)
  prefix.writeUInt32LE(head.length, 0)
  prefix.writeUInt32LE(body.length, 4)
  socket.write(Buffer.concat([prefix, head, body]))
}

/** Elements that are `doc(…)` travel in the body. */
function send(...messages) {
  const documents = []
  const head = messages.map((message) => message.map((element) => {
    if (!(element instanceof Doc)) return element
    if (element.text === undefined) return -1
    documents.push(Buffer.from(element.text))
    return documents.at(-1).length
  }))
  frame(Buffer.from(JSON.stringify(head)), Buffer.concat(documents))
}

class Doc { constructor(text) { this.text = text } }
const doc = (value) => new Doc(value === undefined ? undefined : JSON.stringify(value))
const none = new Doc(undefined)

function call(run, ordinal, endpoint, request) {
  send(['call', run.number, ordinal, 'remote', endpoint, doc(request)])
  return new Promise((settle) => waiting.set(`${run.number} ${ordinal}`, settle))
}

const done = (run, kind, flags, reply = none, state = none) =>
  send(['done', run.number, kind, flags, reply, state, none])
const reply = (run, value) => done(run, 'output', 0, doc(value))
const never = () => new Promise(() => {})

/** True for the first worker that comes here. */
function first(marker) {
  if (fs.existsSync(marker)) return false
  fs.writeFileSync(marker, '')
  return true
}

const behaviours = {
  echo: (run) => done(run, 'output', 0, new Doc(run.text)),
  refuse: (run) => done(run, 'error', 0, doc({ code: 'NO', cause: { left: 5 } })),
  throws: (run) => done(run, 'exception', 0, doc({ name: 'TypeError', message: 'broken', stack: 'at x' })),
  credit: (run) => done(run, 'output', 2, none, doc({ balance: run.state.balance + run.input.amount })),
  drop: (run) => done(run, 'output', 1, doc('kept')),
  nothing: (run) => done(run, 'output', 0),
  async calls(run) {
    const answer = await call(run, 0, 'shop.wallets.echo', { input: run.input })
    done(run, answer.kind, 0, new Doc(answer.text))
  },
  big: (run) => done(run, 'output', 0, new Doc('9007199254740993')),
  not_json: (run) => done(run, 'output', 0, new Doc('{')),
  async settles (run) {
    send(['settle', run.number])
    reply(run, await new Promise((settle) => waiting.set(`${run.number} settled`, settle)))
  },
  leaves: (run) => { send(['leave', run.number]); reply(run, 1) },
  pid: (run) => reply(run, process.pid),
  never,
  /** Blocks the worker until a file is there. */
  waits_for(run) { while (!fs.existsSync(run.input.marker)); reply(run, 1) },
  counts: (run) => reply(run, ++counted),
  aborts: () => process.abort(),
  exits: () => { fs.writeSync(2, 'TypeError: nobody caught this\n    at somewhere\n'); process.exit(3) },
  exhausts: () => { const all = []; for (;;) all.push(new Array(1000).fill(all.length)) },
  blocks: () => { for (;;); },
  /** Waits for ever in the first worker; in the next it ends. */
  waits_once: (run) => first(run.input.marker) ? never() : reply(run, 'again'),
  /** Ends its worker while others run in it, and once more; then it is well. */
  exits_once: (run) => first(run.input.marker) ? process.exit(4) : reply(run, 'well'),
  calls_and_ends(run) { call(run, 0, 'shop.wallets.echo', {}); reply(run, 'early') },
  floods(run) {
    const lines = Buffer.from('x'.repeat(63) + '\n').toString().repeat(1000)
    for (let i = 0; i < 50; ++i) fs.writeSync(1, lines)
    fs.writeSync(1, 'y'.repeat(100_000) + '\n')
    reply(run, 'flooded')
  },
  logs(run) {
    send(['log', 'shop.wallets', 'warn', 'careful', doc({ a: 1 })])
    reply(run, 1)
  },
  oversize: () => { const prefix = Buffer.alloc(8, 0x7f); socket.write(prefix) },
  garbage: () => frame(Buffer.from('[["done",'), Buffer.alloc(0)),
  unknown: () => send(['nonsense', 1]),
  foreign: () => send(['leave', 999999]),
  closes: () => { socket.removeAllListeners('close'); socket.destroy(); setInterval(() => {}, 1000) },
  twice(run) {
    const message = ['done', run.number, 'output', 0, doc('once'), none, none]
    send(message, message, ['leave', run.number], ['call', run.number, 0, 'remote', 'a.b.c', doc({})])
  },
  environment: (run) => reply(run, { fd: process.env.TOA_BRIDGE_FD, open: fs.readdirSync('/proc/self/fd')
    .map((fd) => { try { return [Number(fd), fs.readlinkSync(`/proc/self/fd/${fd}`)] } catch { return null } })
    .filter((entry) => entry !== null) }),
}

function load(application) {
  if (application.name === 'exits') { fs.writeSync(2, 'SyntaxError: of the worker itself\n'); process.exit(1) }
  if (application.name === 'never') return
  if (application.name.startsWith('/') && fs.existsSync(application.name)) {
    fs.writeSync(2, 'SyntaxError: somebody saved this too early\n')
    process.exit(1)
  }
  for (const component of application.components) {
    for (const operation of component.operations) operations[operation.number] = operation
  }
  const found = operations.map(({ number, name, file }) => behaviours[name] === undefined
    ? { number, error: 'nothing is exported', file, line: 3 }
    : { number, type: 'computation', scope: 'none', form: 'function' })
  const node = application.name === 'old' ? 'v16.20.2' : process.version
  send(['loaded', doc({ node, operations: found })])
}

async function run(number, operation, text, state) {
  ++running
  const parsed = (json) => json === undefined ? undefined : JSON.parse(json)
  const given = { number, text, input: parsed(text), state: parsed(state) }
  await behaviours[operations[operation].name](given)
  --running
  exit()
}

function exit() {
  if (stopping && running === 0) process.exit(0)
}

function receive(message, next) {
  const [kind, ...rest] = message
  if (kind === 'load') load(JSON.parse(next(rest[0])))
  else if (kind === 'run') { const input = next(rest[2]); run(rest[0], rest[1], input, next(rest[3])) }
  else if (kind === 'answer') waiting.get(`${rest[0]} ${rest[1]}`)?.({ kind: rest[2], text: next(rest[3]) })
  else if (kind === 'settled') waiting.get(`${rest[0]} settled`)?.(rest[1] < 0 ? 'durable' : JSON.parse(next(rest[1])).message)
  else if (kind === 'ping') send(['pong', rest[0]])
  else if (kind === 'stop') { stopping = true; exit() }
}

let buffered = Buffer.alloc(0)
socket.on('data', (data) => {
  buffered = Buffer.concat([buffered, data])
  while (buffered.length >= 8) {
    const head = buffered.readUInt32LE(0)
    const body = buffered.readUInt32LE(4)
    if (buffered.length < 8 + head + body) return
    let at = 8 + head
    const messages = JSON.parse(buffered.subarray(8, at))
    const documents = buffered
    buffered = buffered.subarray(at + body)
    for (const message of messages) {
      receive(message, (length) => length < 0 ? undefined : documents.subarray(at, at += length).toString())
    }
  }
})
socket.on('close', () => process.exit(0))
