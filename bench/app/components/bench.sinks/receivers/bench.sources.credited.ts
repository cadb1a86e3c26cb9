interface Credited {
  source: string
  by: number
}

export const request = ({ source, by }: Credited) => ({ query: { id: source }, input: { by } })
