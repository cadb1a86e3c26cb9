interface Parcel {
  stage: string
  carrier?: string
}

// Says how things are to be, so there is nothing to look at first: twice ends where once does, one VERSION later.
export function transition ({ carrier }: { carrier: string }, entry: Parcel) {
  entry.stage = 'sent'
  entry.carrier = carrier

  return { stage: entry.stage, carrier: entry.carrier }
}
