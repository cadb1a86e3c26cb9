interface Account { balance: number, frozen?: boolean }

export function transition ({ amount }: { amount: number }, entry: Account, context: { logs: any }) {
  context.logs.info('Crediting', { amount })

  if (entry.frozen === true) return new Error('FROZEN', { cause: { balance: entry.balance } })

  entry.balance += amount

  return entry
}
