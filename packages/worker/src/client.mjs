// What an unmanaged operation is given: a reader of its component's objects, in the storage's own language.

export class Client {
  #run

  constructor (run) {
    this.#run = run
  }

  /** The rows, each an object. `values` stand for the `?` of the text, in their order. */
  query (sql, values = []) {
    return this.#run.query({ sql, values })
  }

  all (sql, values) {
    return this.query(sql, values)
  }

  /** The first row, or null. */
  async get (sql, values) {
    const [first = null] = await this.query(sql, values)

    return first
  }
}
