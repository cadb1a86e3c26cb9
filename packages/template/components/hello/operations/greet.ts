import type { GreetInput } from '../types/index.d.ts'

export function computation ({ name }: GreetInput) {
  return `Hello, ${name}!`
}
