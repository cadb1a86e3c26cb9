export function transition ({ least = 0, spoil }, entries) {
  for (const parcel of entries) {
    if (parcel.weight < least) parcel.DISCARD = true

    parcel.stage = 'sent'
    parcel.TRAILERS.from = parcel.label
  }

  if (spoil) entries[entries.length - 1].stage = 'nowhere'

  return entries
}
