export const condition = ({ origin, state }) => origin === null || (origin.to === undefined && state.to !== undefined)

export function payload ({ state, trailers, input }) {
  if (state.text === 'torn') throw new Error('a torn letter cannot be announced')

  return { letter: state.id, to: state.to, text: state.text, stamp: trailers.stamp, said: input.text }
}
