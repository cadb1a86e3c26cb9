interface Change {
  state: { id: string }
  input: { by: number }
}

export const payload = ({ state, input }: Change) => ({ source: state.id, by: input.by })
