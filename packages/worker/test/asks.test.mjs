import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Asks } from '../src/asks.mjs'
import { Atom } from '../src/atom.mjs'
import { Stash } from '../src/stash.mjs'

/** Asks whose questions are kept and answered by the test. */
function asking () {
  const questions = []
  const asks = new Asks({ send: (head, [text]) => questions.push(JSON.parse(text)) })
  let left = 0
  const leave = () => { left++ }

  return {
    questions,
    answer: (number, value, kind = 'output') => asks.answer(number, kind, value),
    atom: new Atom(asks, 'shop.tills', leave),
    stash: new Stash(asks, 'shop.tills', leave),
    left: () => left
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a lock is held while its function runs, and given back also where it throws', async () => {
  const { atom, questions, answer, left } = asking()
  const steps = []
  const locked = atom.lock('k', async () => {
    steps.push('held')
    throw new Error('no')
  })

  await turn()
  assert.deepEqual([steps, questions, left()], [[], [{ component: 'shop.tills', what: 'lock', key: 'k' }], 1])
  answer(0, null)
  await assert.rejects(locked, /no/)
  assert.deepEqual(steps, ['held'])
  assert.deepEqual(questions[1], { component: 'shop.tills', what: 'release', key: 'k', ask: 0 })
  await assert.rejects(atom.lock(5, () => {}), /The key of a lock is a string, not 5/)
  await assert.rejects(atom.lock('k'), /takes a function/)
})

test('the stash takes the commands of Redis', async () => {
  const { stash, questions, answer } = asking()
  const asked = async (promise, value) => {
    await turn()
    answer(questions.length - 1, value)

    return [await promise, questions.at(-1)]
  }

  const own = { component: 'shop.tills' }

  assert.deepEqual(await asked(stash.get('a'), null), [null, { ...own, what: 'get', key: 'a' }])
  assert.deepEqual(await asked(stash.set('a', 5, 'EX', 2, 'nx'), true), ['OK', { ...own, what: 'set', key: 'a', value: '5', ms: 2000, if: 'absent' }])
  assert.deepEqual(await asked(stash.set('a', 'x', 'XX'), false), [null, { ...own, what: 'set', key: 'a', value: 'x', if: 'present' }])
  assert.deepEqual(await asked(stash.store('a', { b: 1 }), true), ['OK', { ...own, what: 'set', key: 'a', value: '{"b":1}' }])
  assert.deepEqual((await asked(stash.fetch('a'), '{"b":1}'))[0], { b: 1 })
  assert.deepEqual((await asked(stash.del('a'), true))[0], 1)
  assert.deepEqual(await asked(stash.decr('n'), -1), [-1, { ...own, what: 'add', key: 'n', by: -1 }])
  assert.deepEqual(await asked(stash.expire('n', 3), true), [1, { ...own, what: 'expire', key: 'n', ms: 3000 }])
  assert.deepEqual((await asked(stash.ttl('n'), 2600))[0], 3)
  await assert.rejects(stash.set('a', { b: 1 }), /takes a string or a number/)
  await assert.rejects(stash.set('a', '1', 'EXAT', 5), /The stash has no option 'EXAT'/)
  await assert.rejects(stash.set('a', '1', 'EX', 0), /must be above 0/)
  await assert.rejects(stash.get(5), /A key of the stash is a string/)
})

test('what the program refuses rejects, and so does a question too many', async () => {
  const { stash, answer } = asking()
  const refused = stash.get('a')

  await turn()
  answer(0, { name: 'RangeError', message: 'too large' }, 'exception')
  await assert.rejects(refused, { name: 'RangeError', message: 'too large' })

  const many = Array.from({ length: 10_001 }, () => stash.get('b'))

  many.slice(0, -1).forEach((one) => one.catch(() => {}))
  await assert.rejects(many.at(-1), /More than 10000 locks and accesses/)
})
