// Finds the file and the line to blame for a module that does not load. Node does not say where a syntax error stands
// in an ES module, so the author's files are compiled here once more, as scripts, whose errors have a place.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { diagnosedFilesMax } from './limits.mjs'
import { compile, isTypeScript } from './typescript.mjs'

/** `{ what, file, line? }`: what happened and the place in the author's code. */
export function placeOfFault (error, file) {
  const what = messageOf(error)
  const stated = /^(?:[A-Za-z]*Error: )?(\/.+?):(\d+): (.+)$/s.exec(what)

  if (stated !== null) return { what: stated[3], file: stated[1], line: Number(stated[2]) }

  return { what, ...(importPlace(error, what) ?? stackPlace(error) ?? syntaxPlace(error, file) ?? { file }) }
}

function messageOf (error) {
  try {
    return error instanceof Error || typeof error?.message === 'string' ? error.message.split('\nRequire stack:')[0] : String(error)
  } catch {
    return 'it threw something that cannot be shown'
  }
}

/** "Cannot find … 'x' imported from /file": the line of the file that names x. */
function importPlace (error, what) {
  const named = /(?:module|package|Directory import) '(.+?)'.* imported from (.+?)$/m.exec(what)

  if (named === null) return null

  const [, target, importer] = named
  const file = importer.startsWith('file:') ? fileURLToPath(importer) : importer
  const last = target.split('/').pop()

  return withLine(file, (line) => /\b(from|import|require)\b/.test(line) && line.includes(last))
}

/** The first line of the stack that stands in a file of the author. */
function stackPlace (error) {
  const stack = typeof error?.stack === 'string' ? error.stack : ''

  for (const line of stack.split('\n')) {
    const place = /(?:^|[\s(])(?:file:\/\/)?(\/[^()]+?):(\d+)(?::\d+)?\)?$/.exec(line)

    if (place !== null && !line.includes(import.meta.url)) return { file: decodeURI(place[1]), line: Number(place[2]) }
  }

  return null
}

function syntaxPlace (error, file) {
  if (error?.name !== 'SyntaxError') return null

  const seen = new Set([file])

  for (const candidate of seen) {
    if (seen.size > diagnosedFilesMax) return null

    const { line, imports } = examine(candidate, error.message)

    if (line !== undefined) return { file: candidate, line }

    for (const path of imports) seen.add(path)
  }

  return null
}

/** The line of the first syntax error of a file, or the author's files that it imports; `what` is Node's word for it. */
function examine (file, what) {
  let code

  try {
    code = compile(file, readFileSync(file, 'utf8'), 'commonjs')
  } catch (error) {
    const line = exactLine(file, what) ?? /^.+:(\d+): /.exec(error.message)?.[1]

    return { line: line && Number(line), imports: [] }
  }

  const fault = scriptFault(file, code)

  if (fault !== null) return { line: fault.line, imports: [] }

  const imports = [...code.matchAll(/\b(?:require|import)\(\s*['"](\.{1,2}\/[^'"]+)['"]/g)]

  return { imports: imports.map(([, path]) => resolve(dirname(file), path)).filter((path) => isTypeScript(path) || /\.[mc]?js$/.test(path)) }
}

/**
 * The compiler gives up an arrow function as a whole and names its first line. The engine knows better, and reads a
 * module of JavaScript as a script once its imports and exports are blanked; the same words then mean the same fault.
 */
function exactLine (file, what) {
  if (isTypeScript(file)) return undefined

  const blank = (text) => text.replace(/[^\n]/g, ' ')
  const source = readFileSync(file, 'utf8').replace(/^\s*(?:import\s[^'"(]*?['"][^'"\n]+['"]|export\b(?:\s+default\b)?)/gm, blank)
  const fault = scriptFault(file, source)

  return fault?.what === what ? fault.line : undefined
}

/** `{ what, line? }` where the code, as the body of a function, has a syntax error; null where it has none. */
function scriptFault (file, code) {
  try {
    new vm.Script(`(async function () { ${code}\n})`, { filename: file })

    return null
  } catch ({ message, stack }) {
    const place = stack.slice(file.length + 1).match(/^\d+/)

    return { what: message, line: place === null ? undefined : Number(place[0]) }
  }
}

function withLine (file, matches) {
  try {
    const line = readFileSync(file, 'utf8').split('\n').findIndex(matches)

    return line === -1 ? { file } : { file, line: line + 1 }
  } catch {
    return { file }
  }
}
