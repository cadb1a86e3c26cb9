interface Parcel { stage: string }

export function guard (state: Parcel, origin: Parcel | null): boolean {
  return origin === null || origin.stage !== 'sent' || state.stage !== 'new'
}
