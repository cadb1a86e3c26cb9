export const condition = ({ VERSION }: { VERSION: number }) => VERSION % 8 === 0

export const request = ({ id }: { id: string }) => ({ input: { id } })
