import type { Context, Order } from '../lib/shop.ts'

// Any of these calls may be made again, by a repeat or by a second click under another identity. Nothing here counts on
// being recognised: parcel, reservation and payment all belong to the order, and a quote changes nothing.
export async function effect ({ order, customer, product, units }: Order, context: Context) {
  const { products, prices, stock, wallets, parcels } = context.remote.shop

  const sold = await products.observe({ query: { id: product } })
  if (sold === null) return new Error('NOT_SOLD')

  const parcel = await parcels.plan({ query: { id: order }, input: { customer, product, units } })
  if (parcel instanceof Error) return parcel
  if (parcel.stage !== 'planned') return { order, stage: parcel.stage } // placed before

  if (!sold.shown) return new Error('NOT_SOLD')

  const reserved = await stock.reserve({ query: { id: product }, input: { order, units } })
  if (reserved instanceof Error) return reserved

  // Who cannot pay keeps the reservation and may come back; shop.stock.release is for orders that are given up.
  const { total } = await prices.quote({ input: { price: sold.price, units } })
  const payment = await wallets.pay({ query: { id: customer }, input: { order, cents: total } })
  if (payment instanceof Error) return payment

  const { stage } = await parcels.pack({ query: { id: order } })

  return { order, stage }
}
