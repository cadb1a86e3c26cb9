export const condition = ({ trailers }) => trailers.got === true

export const payload = ({ trailers }) => ({ order: trailers.order })
