interface Change {
  origin: object | null
  state: { payment: string, customer: string, cents: number }
}

// Only the change that made the object is news.
export const condition = ({ origin }: Change) => origin === null

export const payload = ({ state }: Change) => ({ customer: state.customer, cents: state.cents, payment: state.payment })
