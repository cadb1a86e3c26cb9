// The worker: takes the messages of the program and does what they say.

import { Blame } from './blame.mjs'
import { Channel } from './channel.mjs'
import { Directory } from './calls.mjs'
import { installConsole } from './console.mjs'
import { prepareConfiguration } from './configuration.mjs'
import { contextClass } from './context.mjs'
import { discover } from './discover.mjs'
import { Events } from './events.mjs'
import { discoverEvent, discoverReceiver } from './functions.mjs'
import { unmountMs } from './limits.mjs'
import { Loader } from './loader.mjs'
import { Logs, safely } from './logs.mjs'
import { Operation } from './operation.mjs'
import { sendThrown } from './outcome.mjs'
import { Receiver } from './receiver.mjs'
import { Run } from './run.mjs'

export class Worker {
  #channel
  #logs
  #blame = new Blame([])
  #runnables = new Map() // number to operation, events or receiver
  #runs = new Map()
  #stopping = false
  #ended = (run) => this.#end(run)

  constructor (descriptor) {
    this.#channel = new Channel(descriptor, (head, body) => this.#receive(head, body))
    this.#logs = new Logs(this.#channel)
  }

  get channel () {
    return this.#channel
  }

  get logs () {
    return this.#logs
  }

  get blame () {
    return this.#blame
  }

  #receive (messages, body) {
    let at = 0

    const document = (bytes) => {
      if (bytes < 0) return undefined

      const text = body.utf8Slice(at, at += bytes)

      return JSON.parse(text)
    }

    for (const message of messages) {
      switch (message[0]) {
        case 'run':
          this.#run(message[1], message[2], document(message[3]), document(message[4]))
          break
        case 'answer':
          this.#answer(message[1], message[2], message[3], document(message[4]))
          break
        case 'ping':
          this.#channel.send(`["pong",${message[1]}]`)
          break
        case 'load':
          this.#load(document(message[1])).catch(broken)
          break
        case 'stop':
          this.#stopping = true
          if (this.#runs.size === 0) this.#stop()
          break
        default:
          throw new Error(`The bridge does not know the message '${message[0]}'`)
      }
    }
  }

  #run (id, number, input, state) {
    const run = new Run(id, this.#channel)

    const runnable = this.#runnables.get(number)

    if (runnable === undefined) {
      return sendThrown(this.#channel, run, new Error(`Operation ${number} was not loaded by this worker`))
    }

    this.#runs.set(id, run)
    runnable.start(run, input ?? null, state, this.#ended)
  }

  #answer (id, call, kind, value) {
    this.#runs.get(id)?.answer(call, kind, value)
  }

  #end (run) {
    run.end()
    this.#runs.delete(run.id)

    if (this.#stopping && this.#runs.size === 0) this.#stop()
  }

  async #load (application) {
    const { components, endpoints = {} } = application
    const directory = new Directory(components, Object.keys(endpoints))

    this.#blame = new Blame(components)
    installConsole(this.#logs, this.#blame)

    const loader = new Loader(components.flatMap(filesOf))
    const loading = components.map((component) => this.#loadComponent(application, component, directory, loader))
    const operations = (await Promise.all(loading)).flat(2)
    const text = JSON.stringify({ node: process.version, operations })
    const bytes = Buffer.byteLength(text)

    this.#channel.send(`["loaded",${bytes}]`, [text], bytes)
  }

  #loadComponent (application, component, directory, loader) {
    const configuration = prepareConfiguration(component.configuration, component.secrets)
    const Context = contextClass({ application, component, configuration, directory, logs: this.#logs })

    return Promise.all([
      ...component.operations.map((operation) => this.#loadOperation(operation, component, Context, loader)),
      ...(component.events === undefined ? [] : [this.#loadEvents(component, Context, loader)]),
      ...(component.receivers ?? []).map((receiver) => this.#loadReceiver(receiver, component, loader))
    ])
  }

  async #loadOperation ({ number, name, file }, { id }, Context, loader) {
    const { found, fault } = await loader.load(file, `Operation '${name}' of '${id}'`, discover)

    if (fault !== undefined) return { number, ...fault }

    this.#runnables.set(number, new Operation(found, Context, this.#channel))

    return { number, type: found.type, scope: found.scope, form: found.form }
  }

  async #loadEvents ({ id, events: { number, files } }, Context, loader) {
    const loaded = await Promise.all(files.map(async ({ event: name, file }) => {
      const { found, fault } = await loader.load(file, `Event '${name}' of '${id}'`, discoverEvent)

      return { fault, event: { name, ...found } }
    }))

    const faults = loaded.filter(({ fault }) => fault !== undefined)

    if (faults.length > 0) return faults.map(({ fault }) => ({ number, ...fault }))

    this.#runnables.set(number, new Events(loaded.map(({ event }) => event), Context, this.#channel))

    return { number, type: 'events', scope: null, form: 'function' }
  }

  async #loadReceiver ({ number, event, file }, { id }, loader) {
    const { found, fault } = await loader.load(file, `Receiver '${event}' of '${id}'`, discoverReceiver)

    if (fault !== undefined) return { number, ...fault }

    this.#runnables.set(number, new Receiver(event, found, this.#channel))

    return { number, type: 'receiver', scope: null, form: 'function' }
  }

  async #stop () {
    const unmounted = Promise.allSettled([...this.#runnables.values()].map((runnable) => runnable.unmount?.()))
    const results = await Promise.race([unmounted, timeout()])

    for (const { status, reason } of results) {
      if (status === 'rejected') this.#logs.write(null, 'error', `An 'unmount' failed: ${safely(() => String(reason?.stack ?? reason))}`)
    }

    this.#logs.tellDropped()
    this.#channel.settle(() => process.exit(0))
  }
}

function filesOf ({ operations, events, receivers = [] }) {
  return [...operations, ...(events?.files ?? []), ...receivers].map(({ file }) => file)
}

// A worker that cannot load is of no use: thrown where nothing catches it, it ends the process.
const broken = (error) => process.nextTick(() => { throw error })

const timeout = () => new Promise((resolve) => setTimeout(resolve, unmountMs, []))
