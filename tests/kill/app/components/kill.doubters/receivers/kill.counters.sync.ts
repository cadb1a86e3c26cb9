interface Counter {
  id: string
  VERSION: number
}

export const condition = ({ VERSION }: Counter) => VERSION % 3 === 0

export const request = ({ id, VERSION }: Counter) => ({ query: { id }, input: { change: `${id} ${VERSION}` } })
