export const request = ({ cents }) => ({ query: { id: 'chest' }, input: { cents } })
