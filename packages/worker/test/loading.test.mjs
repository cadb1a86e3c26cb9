import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../testing/application.mjs'

const reply = async ({ driver, number }, name) => (await driver.run(number(name), { n: 2 })).reply

test('runs every kind of file, as module and as CommonJS', async (t) => {
  const app = await start(t, {
    'operations/a.ts': 'export function computation (input: { n: number }): number { return input.n + 1 }',
    'operations/b.mts': 'export const computation = (input: { n: number }) => input.n + 2',
    'operations/c.cts': 'exports.computation = (input: { n: number }) => input.n + 3',
    'operations/d.js': 'module.exports = { computation: (input) => input.n + 4 }',
    'operations/e.mjs': 'export async function computation (input) { return input.n + 5 }',
    'operations/f.cjs': 'exports.computation = function (input) { return input.n + 6 }',
    'operations/g.ts': 'module.exports.computation = (input: { n: number }) => input.n + 7'
  })

  assert.deepEqual(app.loaded.map(({ error }) => error), Array(7).fill(undefined))

  for (const [i, name] of [...'abcdefg'].entries()) assert.equal(await reply(app, name), 3 + i)
})

test('takes a .js file for a module where the package says so', async (t) => {
  const app = await start(t, { 'operations/a.js': 'export const computation = () => "module"' }, { type: 'module' })

  assert.equal(await reply(app, 'a'), 'module')
})

for (const [way, extra] of [['alone', {}], ['beside JavaScript', { 'operations/z.mjs': 'export const effect = () => {}' }]]) {
  test(`runs TypeScript ${way} with relative imports, enums and parameter properties`, async (t) => {
    const app = await start(t, {
      'lib/levels.ts': 'export enum Level { Low, High = 7 }\nexport interface Unused { x: number }\n',
      'operations/lib/account.ts': `import { Level } from '../../lib/levels.ts'
export class Account { constructor (private readonly balance: number, public level = Level.High) {} sum () { return this.balance + this.level } }`,
      'operations/a.ts': `import type { X } from '@components/shop.orders'
import { Y } from '@components/shop.orders'
import { sep } from 'node:path'
import { Account } from './lib/account.ts'
namespace Types { export type Z = string }
export function computation (input: { n: number } & X & Y & Types.Z) { return [new Account(input.n).sum(), sep] }`,
      ...extra
    })

    assert.equal(app.loaded[0].error, undefined)
    assert.deepEqual(await reply(app, 'a'), [9, '/'])
  })

  test(`names the author's own line in the stack of TypeScript ${way}`, async (t) => {
    const app = await start(t, {
      'operations/a.ts': 'interface A {\n  n: number\n}\n\nexport async function computation (input: A) {\n  throw new Error(`no ${input.n}`)\n}\n',
      ...extra
    })

    const { reply: { message, stack } } = await app.driver.run(0, { n: 1 })

    assert.equal(message, 'no 1')
    assert.match(stack, /operations\/a\.ts:6:/)
    assert.doesNotMatch(stack, /worker\.mjs/)
  })
}

test('shares one instance of a module between operations', async (t) => {
  const app = await start(t, {
    'lib/counter.ts': 'let n = 0\nexport const next = (): number => ++n\n',
    'operations/a.ts': "import { next } from '../lib/counter.ts'\nexport const computation = () => next()",
    'operations/b.ts': "import { next } from '../lib/counter.ts'\nexport const computation = () => next()"
  })

  assert.deepEqual([await reply(app, 'a'), await reply(app, 'b')], [1, 2])
})

test('runs TypeScript that only a module can: top-level await, import.meta, dynamic imports, cycles', async (t) => {
  const app = await start(t, {
    'lib/late.ts': 'export const late: string = "late"',
    'lib/ring.ts': "import { b } from './ring2.ts'\nexport function a (): string { return 'a' }\nexport const ab = () => a() + b",
    'lib/ring2.ts': "import { a } from './ring.ts'\nexport const b = a() + 'b'",
    'operations/a.ts': 'const x: number = await Promise.resolve(5)\nexport const computation = () => x',
    'operations/b.ts': 'export const computation = (): boolean => import.meta.url.endsWith("b.ts")',
    'operations/c.ts': 'export const computation = async () => (await import("../lib/late.ts")).late',
    'operations/d.ts': "import { ab } from '../lib/ring.ts'\nexport const computation = () => ab()"
  })

  assert.deepEqual(app.loaded.map(({ error }) => error), Array(4).fill(undefined))
  assert.deepEqual([await reply(app, 'a'), await reply(app, 'b'), await reply(app, 'c'), await reply(app, 'd')], [5, true, 'late', 'aab'])
})

test('uses packages, of both kinds, and refuses their TypeScript', async (t) => {
  const app = await start(t, {
    '/node_modules/esm/package.json': '{ "type": "module", "exports": "./index.js" }',
    '/node_modules/esm/index.js': 'export default 1; export const two = 2',
    '/node_modules/cjs/index.js': 'exports.three = 3',
    '/node_modules/typed/package.json': '{ "type": "module", "exports": "./index.ts" }',
    '/node_modules/typed/index.ts': 'export const four: number = 4',
    'operations/a.ts': "import one, { two } from 'esm'\nimport { three } from 'cjs'\nexport const computation = () => [one, two, three]",
    'operations/b.ts': "import { four } from 'typed'\nexport const computation = () => four"
  })

  assert.deepEqual(await reply(app, 'a'), [1, 2, 3])
  assert.match(app.loaded[1].error, /TypeScript of a package is not run/)
})

test('tells every fault of every file, with its file and line', async (t) => {
  const app = await start(t, {
    'lib/broken.ts': 'export const a: number = 1\nexport const b = (\n',
    'lib/broken.mjs': 'const a = 1\nconst a = 2\n',
    'operations/nothing.ts': 'export const helper = 1',
    'operations/two.ts': 'export const effect = () => {}\nexport const observation = () => {}',
    'operations/syntax.ts': 'const x = 1\nconst y: = 2\nexport const effect = () => {}',
    'operations/syntaxjs.mjs': 'export const effect = () => {}\n\nlet 5x = 1\n',
    'operations/within.ts': "import { a } from '../lib/broken.ts'\nexport const effect = () => a",
    'operations/arrow.mjs': "import { sep } from 'node:path'\nexport const effect = (input) => {\n  return sep +\n}\n",
    'operations/withinjs.mjs': "import '../lib/broken.mjs'\nexport const effect = () => 1",
    'operations/absent.ts': "\nimport { x } from './nowhere.ts'\nexport const effect = () => x",
    'operations/package.ts': "\n\nimport { x } from 'nopackage'\nexport const effect = () => x",
    'operations/kind.ts': 'export const transition = 5',
    'operations/throws.ts': '\nthrow new Error("at once")\nexport const effect = 1',
    'operations/namespace.ts': 'export const effect = () => N.x\nnamespace N { export const x = 1 }',
    'operations/decorator.ts': 'const d = (x: any) => x\n@d\nclass A {}\nexport const effect = () => new A()',
    'operations/noname.ts': "\nimport { missing } from '../lib/fine.ts'\nexport const effect = () => missing",
    'lib/fine.ts': 'export const fine = 1',
    'operations/noexecute.ts': 'export class Transition {}',
    'operations/good.ts': 'export const effect = () => {}'
  })

  const faults = Object.fromEntries(Object.entries(Object.fromEntries(app.loaded.map((found) => [found.number, found])))
    .map(([, { number, error, file, line }]) => [number, { error, at: `${file?.slice(app.path.length + 1)}:${line}` }]))

  const expected = {
    nothing: [/'nothing' of 'shop\.wallets' exports 'helper', but an operation exports/, 'operations/nothing.ts:undefined'],
    two: [/exports 'effect' and 'observation'/, 'operations/two.ts:undefined'],
    syntax: [/Unexpected token/, 'operations/syntax.ts:2'],
    syntaxjs: [/cannot be loaded/, 'operations/syntaxjs.mjs:3'],
    within: [/Unexpected token/, /^lib\/broken\.ts:[23]$/],
    arrow: [/Unexpected token '}'/, 'operations/arrow.mjs:4'],
    withinjs: [/already been declared/, 'lib/broken.mjs:2'],
    absent: [/Cannot find module/, 'operations/absent.ts:2'],
    package: [/Cannot find package 'nopackage'/, 'operations/package.ts:3'],
    kind: [/'transition' that is a number/, 'operations/kind.ts:undefined'],
    throws: [/at once/, 'operations/throws.ts:2'],
    namespace: [/namespace with values/, 'operations/namespace.ts:2'],
    decorator: [/Decorators/, 'operations/decorator.ts:2'],
    noname: [/does not provide an export named 'missing'/, 'operations/noname.ts:2'],
    noexecute: [/no method 'execute'/, 'operations/noexecute.ts:undefined']
  }

  for (const [name, [error, at]] of Object.entries(expected)) {
    const fault = faults[app.number(name)]

    assert.match(fault.error ?? '', error, name)
    if (typeof at === 'string') assert.equal(fault.at, at, name)
    else assert.match(fault.at, at, name)
  }

  assert.deepEqual(app.loaded[app.number('good')], { number: app.number('good'), type: 'effect', scope: 'none', form: 'function' })
})

test('tells the fault of CommonJS TypeScript that is loaded alone', async (t) => {
  const app = await start(t, {
    'operations/a.ts': "\nimport { x } from './nowhere.ts'\nexport const effect = () => x",
    'operations/b.ts': '\n\nexport const effect = () => {}\nundefined.x'
  })

  assert.equal(app.loaded[0].line, 2)
  assert.equal(app.loaded[1].line, 4)
})
