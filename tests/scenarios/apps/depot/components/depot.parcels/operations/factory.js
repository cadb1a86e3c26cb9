export class EntryTransitionFactory {
  create () {
    return {
      execute (input, parcel) {
        parcel.weight += 1

        return parcel
      }
    }
  }
}
