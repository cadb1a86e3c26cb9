export async function * effect () {
  yield 1

  throw new Error('torn')
}
