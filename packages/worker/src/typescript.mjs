// TypeScript to JavaScript, line for line, so that a stack names the author's own lines.
//
// Types are removed and imports that only types need go with them; enums and parameter properties are compiled. What
// cannot be compiled file by file, or has no agreed meaning yet, is refused where it stands.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export class TypeScriptError extends Error {
  constructor (file, line, what) {
    super(`${file}:${line}: ${what}`)
    this.name = 'TypeScriptError'
  }
}

export const isTypeScript = (file) => /\.[mc]?ts$/.test(file)

/** Reads and compiles a file: `{ format, source }`, with `format` as Node names it. */
export function compileFile (file) {
  refusePackaged(file)

  const source = readFileSync(file, 'utf8')
  const format = formatOf(file, source)

  return { format, source: compile(file, source, format) }
}

/** Compiles one text; with `commonjs`, modules become `require` as well. */
export function compile (file, source, format) {
  refuseUncompilable(file, source)

  const { transform } = require('sucrase/dist/esm/index.js') // 10 ms to load: only where there is TypeScript

  try {
    return transform(source, {
      transforms: format === 'commonjs' ? ['typescript', 'imports'] : ['typescript'],
      disableESTransforms: true,
      preserveDynamicImport: true,
      injectCreateRequireForImportRequire: true
    }).code
  } catch (error) {
    if (error?.loc === undefined) throw error

    throw new TypeScriptError(file, error.loc.line, error.message.replace(/ \(\d+:\d+\)$/, ''))
  }
}

const required = new Map() // compiled by `compileForRequire`

/** The text of a file as CommonJS. The same file is compiled once: the graph is read before it is run. */
export function compileForRequire (file) {
  if (!required.has(file)) {
    refusePackaged(file)
    required.set(file, compile(file, readFileSync(file, 'utf8'), 'commonjs'))
  }

  return required.get(file)
}

function refusePackaged (file) {
  if (/[\\/]node_modules[\\/]/.test(file)) {
    throw new TypeScriptError(file, 1, 'TypeScript of a package is not run: a package has to bring JavaScript')
  }
}

/** A file with `import` or `export` is a module wherever it stands; without, its package decides. */
function formatOf (file, source) {
  if (file.endsWith('.mts')) return 'module'
  if (file.endsWith('.cts')) return 'commonjs'
  if (packageType(dirname(file)) === 'module') return 'module'

  return /^\s*(import|export)\b/m.test(source) && hasModuleSyntax(source) ? 'module' : 'commonjs'
}

const packageTypes = new Map()

function packageType (folder) {
  if (packageTypes.has(folder)) return packageTypes.get(folder)

  const type = readPackageType(folder)

  packageTypes.set(folder, type)

  return type
}

function readPackageType (folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type
  } catch {
    const parent = dirname(folder)

    return parent === folder ? undefined : packageType(parent)
  }
}

function hasModuleSyntax (source) {
  const { tokens, kinds, text } = tokensOf(source)

  return tokens.some((token, i) => {
    if (token.type !== kinds._import && token.type !== kinds._export) return false

    const next = tokens[i + 1].type
    const isRequire = tokens[i + 2].type === kinds.eq && text(i + 3) === 'require' // import x = require('x')
    const isAssignment = token.type === kinds._export && next === kinds.eq // export = x
    const isCall = token.type === kinds._import && next === kinds.parenL // import('x')

    return !isRequire && !isAssignment && !isCall
  })
}

const suspicious = /\b(namespace|module)\s+[\p{ID_Start}$_]|@\s*[\p{ID_Start}$_(]/u

function refuseUncompilable (file, source) {
  if (!suspicious.test(source)) return

  let parsed

  try {
    parsed = tokensOf(source)
  } catch {
    return // the compiler says what is wrong
  }

  const { tokens, kinds, text } = parsed
  const lineOf = (token) => source.slice(0, token.start).split('\n').length

  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]

    if (token.type === kinds.at) {
      throw new TypeScriptError(file, lineOf(token), 'Decorators are not supported: call the function yourself')
    }

    if (!token.isType) continue

    const word = text(i)

    if (word === 'declare') i = endOfBlock(tokens, kinds, i)
    else if ((word === 'namespace' || word === 'module') && tokens[i + 1].type === kinds.name && hasValues(tokens, kinds, i)) {
      throw new TypeScriptError(file, lineOf(token), 'A namespace with values is not supported: use a module of its own')
    }
  }
}

/** The last token of the first block after `i`, or of the statement where it has none. */
function endOfBlock (tokens, kinds, i) {
  let depth = 0

  for (; i < tokens.length - 1 && tokens[i + 1].isType; i++) {
    if (tokens[i].type === kinds.braceL) depth++
    else if (tokens[i].type === kinds.braceR && --depth === 0) break
    else if (tokens[i].type === kinds.semi && depth === 0) break
  }

  return i
}

/** Whether the block of the namespace at `i` declares anything that exists at run time. */
function hasValues (tokens, kinds, i) {
  const values = new Set([kinds._const, kinds._let, kinds._var, kinds._function, kinds._class, kinds._enum])
  const end = endOfBlock(tokens, kinds, i)
  let depth = 0

  for (let k = i; k < end; k++) {
    if (tokens[k].type === kinds.braceL) depth++
    else if (tokens[k].type === kinds.braceR) depth--
    else if (depth === 1 && values.has(tokens[k].type)) return true
  }

  return false
}

function tokensOf (source) {
  const { parse } = require('sucrase/dist/esm/parser/index.js')
  const { TokenType: kinds } = require('sucrase/dist/esm/parser/tokenizer/types.js')
  const { tokens } = parse(source, false, true, false)

  return { tokens, kinds, text: (i) => source.slice(tokens[i]?.start, tokens[i]?.end) }
}
