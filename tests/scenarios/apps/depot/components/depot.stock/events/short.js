export const condition = ({ trailers }) => trailers.got === false

export const payload = ({ trailers }) => ({ order: trailers.order })
