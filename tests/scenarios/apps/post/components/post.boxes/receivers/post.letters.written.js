export const condition = ({ text }) => text !== 'secret'

export const request = ({ to, text, stamp }, tone) => ({ query: { id: to }, input: { text: `${text}, ${stamp}`, tone } })
