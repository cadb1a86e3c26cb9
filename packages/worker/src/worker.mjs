// The worker: takes the messages of the program and does what they say.

import { Asks } from './asks.mjs'
import { Blame } from './blame.mjs'
import { Channel } from './channel.mjs'
import { Directory } from './calls.mjs'
import { Commands } from './commands.mjs'
import { installConsole } from './console.mjs'
import { prepareConfiguration } from './configuration.mjs'
import { contextClass } from './context.mjs'
import { discover } from './discover.mjs'
import { Events } from './events.mjs'
import { discoverCommand, discoverEvent, discoverGuard, discoverReceiver } from './functions.mjs'
import { Guards } from './guards.mjs'
import { unmountMs } from './limits.mjs'
import { Loader } from './loader.mjs'
import { Logs, safely } from './logs.mjs'
import { Operation } from './operation.mjs'
import { sendThrown } from './outcome.mjs'
import { Receiver } from './receiver.mjs'
import { Run } from './run.mjs'

const earlyFlag = 2 // of `run`

export class Worker {
  #channel
  #logs
  #asks
  #blame = new Blame([])
  #runnables = new Map() // number to operation, events, guards, commands or receiver
  #runs = new Map()
  #stopping = false
  #ended = (run) => this.#end(run)

  constructor (descriptor) {
    this.#channel = new Channel(descriptor, (head, body) => this.#receive(head, body))
    this.#logs = new Logs(this.#channel)
    this.#asks = new Asks(this.#channel)
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
          this.#run(message[1], message[2], document(message[3]), document(message[4]), (message[5] & earlyFlag) !== 0)
          break
        case 'answer':
          this.#answer(message[1], message[2], message[3], document(message[4]))
          break
        case 'told':
          this.#asks.answer(message[1], message[2], document(message[3]))
          break
        case 'settled':
          this.#settled(message[1], document(message[2]))
          break
        case 'begin':
          this.#runs.get(message[1])?.opened(message[2])
          break
        case 'part':
          this.#part(message[1], message[2], document(message[3]))
          break
        case 'more':
          this.#runs.get(message[1])?.credit.more()
          break
        case 'cancel':
          this.#runs.get(message[1])?.credit.end()
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

  #run (id, number, input, state, early) {
    const run = new Run(id, this.#channel, early)

    const runnable = this.#runnables.get(number)

    if (runnable === undefined) {
      return sendThrown(this.#channel, run, new Error(`Operation ${number} was not loaded by this worker`))
    }

    runnable.start(run, input ?? null, state, this.#ended)

    // Most have ended by now: nothing more is heard of those.
    if (!run.ended) this.#runs.set(id, run)
  }

  #answer (id, call, kind, value) {
    this.#runs.get(id)?.answer(call, kind, value)
  }

  #settled (id, exception) {
    this.#runs.get(id)?.settled(exception)
  }

  #part (id, call, value) {
    this.#runs.get(id)?.arrived(call, value)
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
    const Context = contextClass({ application, component, configuration, directory, logs: this.#logs, asks: this.#asks })

    return Promise.all([
      ...component.operations.map((operation) => this.#loadOperation(operation, component, Context, loader)),
      ...(component.events === undefined ? [] : [this.#loadEvents(component, Context, loader)]),
      ...(component.commands === undefined ? [] : [this.#loadCommands(component, Context, loader)]),
      ...(component.guards === undefined ? [] : [this.#loadGuards(component, Context, loader)]),
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
    const { events, faults } = await this.#loadAll(number, files.map(({ event: name, file }) => (
      { name, file, title: `Event '${name}' of '${id}'` })), discoverEvent, loader, 'events')

    if (faults !== undefined) return faults

    this.#runnables.set(number, new Events(events, Context, this.#channel))

    return { number, type: 'events', scope: null, form: 'function' }
  }

  async #loadGuards ({ id, guards: { number, files } }, Context, loader) {
    const { guards, faults } = await this.#loadAll(number, files.map(({ guard: name, file }) => (
      { name, file, title: `Guard '${name}' of '${id}'` })), discoverGuard, loader, 'guards')

    if (faults !== undefined) return faults

    this.#runnables.set(number, new Guards(guards, Context, this.#channel))

    return { number, type: 'guards', scope: null, form: 'function' }
  }

  async #loadCommands ({ id, commands: { number, files } }, Context, loader) {
    const { commands, faults } = await this.#loadAll(number, files.map(({ command: name, file }) => (
      { name, file, title: `Run command '${name}' of '${id}'` })), discoverCommand, loader, 'commands')

    if (faults !== undefined) return faults

    const found = commands.map(({ name, ...functions }, i) => ({ name, file: files[i].file, functions }))

    this.#runnables.set(number, new Commands(id, found, Context, this.#channel))

    return { number, type: 'commands', scope: null, form: 'function' }
  }

  /** What was found in each of several files that share a number, under the key `as`; or the `faults` of all. */
  async #loadAll (number, files, discover, loader, as) {
    const loaded = await Promise.all(files.map(async ({ name, file, title }) => {
      const { found, fault } = await loader.load(file, title, discover)

      return { fault, code: { name, ...found } }
    }))

    const faults = loaded.filter(({ fault }) => fault !== undefined).map(({ fault }) => ({ number, ...fault }))

    return faults.length > 0 ? { faults } : { [as]: loaded.map(({ code }) => code) }
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
      if (status === 'rejected') this.#logs.write(null, 'error', `An 'unmount' or a 'dispose' failed: ${safely(() => String(reason?.stack ?? reason))}`)
    }

    this.#logs.tellDropped()
    this.#channel.settle(() => process.exit(0))
  }
}

function filesOf ({ operations, receivers = [], ...shared }) {
  const { events, guards, commands } = shared

  return [...operations, ...receivers, ...[events, guards, commands].flatMap((code) => code?.files ?? [])].map(({ file }) => file)
}

// A worker that cannot load is of no use: thrown where nothing catches it, it ends the process.
const broken = (error) => process.nextTick(() => { throw error })

const timeout = () => new Promise((resolve) => setTimeout(resolve, unmountMs, []))
