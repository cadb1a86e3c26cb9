interface Parcel {
  stage: 'none' | 'planned' | 'packing' | 'sent'
  DISCARD?: boolean
}

// Only what is planned can start to be packed: a late repeat must not take back a parcel that is on its way.
export function transition (_: null, entry: Parcel) {
  if (entry.stage === 'planned') entry.stage = 'packing'
  else entry.DISCARD = true

  return { stage: entry.stage }
}
