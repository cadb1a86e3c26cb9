export const request = ({ id }: { id: string }) => ({ query: { id } })
