export function transition ({ text, tone }, entry) {
  if (text.startsWith('jam') && entry.lid !== 'open') throw new Error('the lid is stuck')

  entry.letters++
  entry.last = tone === undefined ? text : `${text}, ${tone}`

  return entry
}
