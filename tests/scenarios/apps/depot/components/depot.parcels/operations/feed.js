export async function * effect (to, context) {
  try {
    for (let i = 1; i <= to; i++) yield { i, double: i * 2 }
  } finally {
    context.logs.info('feed ended')
  }
}
