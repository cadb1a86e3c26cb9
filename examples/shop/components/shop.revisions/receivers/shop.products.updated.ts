interface Product {
  id: string
  price: number
  VERSION: number
}

export const request = (product: Product) => ({
  query: { id: product.id },
  input: { price: product.price, version: product.VERSION }
})
