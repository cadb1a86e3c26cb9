// What the checkout calls, with the replies as the components give them.

interface Request {
  query?: { id: string }
  input?: object
}

type Call<Reply> = (request: Request) => Promise<Reply>

export interface Context {
  remote: {
    shop: {
      products: { observe: Call<{ price: number, shown: boolean } | null> }
      prices: { quote: Call<{ total: number }>, bonus: Call<{ cents: number }> }
      stock: { reserve: Call<object | Error> }
      wallets: { pay: Call<object | Error>, credit: Call<{ balance: number }> }
      parcels: { plan: Call<{ stage: string } | Error>, pack: Call<{ stage: string }> }
    }
  }
}

export interface Order {
  order: string
  customer: string
  product: string
  units: number
}
