export const effect = (input, entry) => ({ key: entry.key, amount: entry.amount, version: entry.VERSION })
