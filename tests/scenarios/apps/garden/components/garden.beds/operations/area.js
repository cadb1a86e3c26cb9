export function computation ({ width, length }) {
  return { area: width * length }
}
