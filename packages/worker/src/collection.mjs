// What an operation over a stream is given: the objects that its query selects, as `{ entry }`, and `{ token }` at the end.

/** What stands for the state of such an operation: no object and no list. */
export const collectionMark = 'stream'

/** Read a page at a time, as parts are asked for. It may be read more than once. */
export class Collection {
  #run

  constructor (run) {
    this.#run = run
  }

  async * [Symbol.asyncIterator] () {
    for (let after = null; ;) {
      const { parts, next } = await this.#run.query({ after })

      yield * parts

      if (next === null) return

      after = next
    }
  }
}
