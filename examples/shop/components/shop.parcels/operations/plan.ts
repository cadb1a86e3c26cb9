interface Contents {
  customer: string
  product: string
  units: number
}

interface Parcel extends Partial<Contents> {
  stage: 'none' | 'planned' | 'packing' | 'sent'
  DISCARD?: boolean
}

// One order, one parcel: asked again for the same customer and contents it says how far that parcel is, for others it refuses.
export function transition ({ customer, product, units }: Contents, entry: Parcel) {
  if (entry.stage === 'none') Object.assign(entry, { stage: 'planned', customer, product, units })
  else if (entry.customer === customer && entry.product === product && entry.units === units) entry.DISCARD = true
  else return new Error('DIFFERENT_PARCEL')

  return { stage: entry.stage }
}
