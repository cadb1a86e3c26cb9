export class Observation {
  #word = ''

  mount (context: { name: string }): void {
    this.#word = context.name
  }

  execute (input: null, entries: Array<{ label: string }>): string {
    return this.#word + ': ' + entries.map(({ label }) => label).sort().join(' ')
  }
}
