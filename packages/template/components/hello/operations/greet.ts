interface Input {
  name: string
}

export function computation ({ name }: Input) {
  return `Hello, ${name}!`
}
