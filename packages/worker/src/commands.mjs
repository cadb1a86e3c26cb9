// The run commands of a component: what its modules in rc/ do as this process starts and ends.
//
// (1) The modules of one component run one after another, in the order of their names.
// (2) The first that fails ends the stage.

import { placeOfFault } from './diagnose.mjs'
import { conclude, sendOutput } from './outcome.mjs'

export class Commands {
  #component
  #commands // { name, file, functions }
  #Context
  #channel
  #started = false

  constructor (component, commands, Context, channel) {
    this.#component = component
    this.#commands = commands
    this.#Context = Context
    this.#channel = channel
  }

  /** Runs one stage, like an operation. */
  start (run, stage, _, ended) {
    this.#started = true
    conclude(this.#channel, run, () => this.#enter(stage, run), () => sendOutput(this.#channel, run, 0), ended)
  }

  async #enter (stage, run) {
    const context = new this.#Context(run)

    for (const command of this.#commands) {
      try {
        await command.functions[stage]?.(context)
      } catch (thrown) {
        throw this.#failure(command, stage, thrown)
      }
    }
  }

  #failure ({ name, file }, stage, thrown) {
    const { what, file: at, line } = placeOfFault(thrown, file)
    const error = new Error(`${at}${line === undefined ? '' : `:${line}`}: Run command '${name}' of '${this.#component}' failed in '${stage}': ${what}`)

    if (typeof thrown?.stack === 'string') error.stack = thrown.stack

    return error
  }

  /** Ends what they began; what nobody began is not ended. */
  async unmount () {
    if (!this.#started) return

    const context = new this.#Context(null)
    const results = await Promise.allSettled(this.#commands.map(async ({ functions }) => await functions.dispose?.(context)))
    const failed = results.find(({ status }) => status === 'rejected')

    if (failed !== undefined) throw failed.reason
  }
}
