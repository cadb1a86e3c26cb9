// Decides how an application's files are loaded. Module hooks do everything, but before Node 22.15 they run in a
// thread that takes 40 ms to start, a third of the start of a worker. Most applications can do without:
//
// - `import`: no TypeScript is reached, so Node needs no help;
// - `require`: all is TypeScript that reaches only TypeScript and Node's own modules, and does nothing that a module
//   compiled to CommonJS would do differently;
// - `hooks`: everything else, and whatever is not certain.

import { readFileSync } from 'node:fs'
import { isBuiltin, Module } from 'node:module'
import { dirname, resolve } from 'node:path'
import vm from 'node:vm'
import { compileForRequire, isTypeScript } from './typescript.mjs'

const statically = /\b(?:from|import)\s*['"]([^'"]+)['"]/g
const requires = /\brequire\(\s*['"]([^'"]+)['"]\s*\)/g
const uncertain = /\bimport\s*[(.]/ // import() and import.meta

export function wayToLoad (files) {
  const typescript = files.filter(isTypeScript).length

  if (typescript > 0 && typescript < files.length) return 'hooks'

  const [way, importsOf] = typescript > 0 ? ['require', compiledImports] : ['import', plainImports]

  try {
    return new Walk(importsOf).certain(files) ? way : 'hooks'
  } catch {
    return 'hooks' // a file that cannot be read or compiled: loading it says so
  }
}

class Walk {
  #importsOf
  #done = new Set()
  #open = new Set()

  constructor (importsOf) {
    this.#importsOf = importsOf
  }

  certain (files) {
    return files.every((file) => this.#fileIsCertain(file))
  }

  #fileIsCertain (file) {
    if (this.#done.has(file)) return true
    if (this.#open.has(file)) return false // in a cycle, modules and CommonJS differ in what is already there

    const imports = this.#importsOf(file)

    if (imports === null) return false

    this.#open.add(file)

    const certain = imports.every((name) => isBuiltin(name) || (/^\.{1,2}\//.test(name) && this.#fileIsCertain(resolve(dirname(file), name))))

    this.#open.delete(file)
    this.#done.add(file)

    return certain
  }
}

function compiledImports (file) {
  if (!isTypeScript(file)) return null

  const code = compileForRequire(file)

  if (uncertain.test(code)) return null

  new vm.Script(Module.wrap(code)) // throws at what only a module may do, such as `await`

  return [...code.matchAll(requires)].map(([, name]) => name)
}

function plainImports (file) {
  if (isTypeScript(file)) return null

  const code = readFileSync(file, 'utf8')

  return uncertain.test(code) ? null : [...code.matchAll(statically)].map(([, name]) => name)
}
