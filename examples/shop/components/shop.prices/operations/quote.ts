interface Input {
  price: number
  units: number
}

interface Context {
  configuration: { delivery: number, freeFrom: number }
}

export function computation ({ price, units }: Input, { configuration }: Context) {
  const goods = price * units
  const delivery = goods >= configuration.freeFrom ? 0 : configuration.delivery

  return { goods, delivery, total: goods + delivery }
}
