import type { Context } from '../lib/shop.ts'

interface Input {
  customer: string
  cents: number
}

// Two credits, two identities, both derived from the identity of this call: sent again, it makes the very same two, and
// the wallet knows them. Nothing has to be declared here.
export async function effect ({ customer, cents }: Input, context: Context) {
  const { prices, wallets } = context.remote.shop
  const query = { id: customer }

  const bonus = await prices.bonus({ input: { cents } })
  let wallet = await wallets.credit({ query, input: { cents } })

  if (bonus.cents > 0)
    wallet = await wallets.credit({ query, input: { cents: bonus.cents, note: 'bonus' } })

  return { customer, bonus: bonus.cents, balance: wallet.balance }
}
