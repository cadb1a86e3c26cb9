// Reads the name of a function's second parameter from its source.

const bodiless = /\{\s*\[native code\]\s*\}\s*$/

/**
 * The second parameter: its name; `''` where there is none or it is taken apart; null where the code hides it, as a
 * bound function or one with `...rest` does.
 */
export function secondParameter (fn) {
  const source = Function.prototype.toString.call(fn)

  if (bodiless.test(source)) return null

  const parameters = parametersOf(source)

  if (parameters.slice(0, 2).some((parameter) => parameter.startsWith('...'))) return null

  return /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u.exec(parameters[1] ?? '')?.[0] ?? ''
}

/** The texts of the parameters, comments and outer blanks removed. */
function parametersOf (source) {
  const scanner = new Scanner(source)
  let opened = false

  // Up to the list: `async`, `function`, `*`, a name or `[a computed one]`; or an arrow after a lone parameter.
  while (!scanner.ended && !opened) {
    if (scanner.skipBlank()) continue
    if (scanner.looksAt('=>')) return ['the only one']

    if (scanner.current === '(') opened = true
    else if (scanner.current === '[') scanner.skipNested()
    else scanner.at++
  }

  scanner.at++

  return splitList(scanner)
}

function splitList (scanner) {
  const parameters = []
  let text = ''

  while (!scanner.ended && scanner.current !== ')') {
    if (scanner.skipBlank()) {
      text += ' '
    } else if (scanner.current === ',') {
      parameters.push(text.trim())
      text = ''
      scanner.at++
    } else {
      const from = scanner.at

      scanner.skipNested()
      text += scanner.source.slice(from, scanner.at)
    }
  }

  parameters.push(text.trim())

  return parameters
}

const closing = { '(': ')', '[': ']', '{': '}' }

class Scanner {
  at = 0

  constructor (source) {
    this.source = source
  }

  get ended () {
    return this.at >= this.source.length
  }

  get current () {
    return this.source[this.at]
  }

  looksAt (text) {
    return this.source.startsWith(text, this.at)
  }

  /** Skips one blank or comment; says whether there was one. */
  skipBlank () {
    if (this.looksAt('/*')) this.#jump(this.source.indexOf('*/', this.at + 2), 2)
    else if (this.looksAt('//')) this.#jump(this.source.indexOf('\n', this.at), 1)
    else if (/\s/.test(this.current)) this.at++
    else return false

    return true
  }

  /** Skips what stands here: a string, a template, a regular expression, something in brackets, or one character. */
  skipNested () {
    const opening = this.current

    if (opening === '"' || opening === "'" || opening === '`') this.#skipQuoted(opening)
    else if (opening === '/' && this.#startsExpression()) this.#skipQuoted('/')
    else if (opening in closing) this.#skipBrackets(closing[opening])
    else this.at++
  }

  #skipBrackets (end) {
    this.at++

    while (!this.ended && this.current !== end) {
      if (!this.skipBlank()) this.skipNested()
    }

    this.at++
  }

  #skipQuoted (quote) {
    let inClass = false

    for (this.at++; !this.ended; this.at++) {
      if (this.current === '\\') this.at++
      else if (quote === '`' && this.looksAt('${')) {
        this.at++
        this.#skipBrackets('}')
        this.at--
      } else if (quote === '/' && this.current === '[') inClass = true
      else if (quote === '/' && this.current === ']') inClass = false
      else if (this.current === quote && !inClass) break
    }

    this.at++
  }

  /** Whether a slash here opens a regular expression rather than divides. */
  #startsExpression () {
    return /[=(,:?[{!&|+\-*;>]\s*$/.test(this.source.slice(0, this.at))
  }

  #jump (found, length) {
    this.at = found === -1 ? this.source.length : found + length
  }
}
