export const guard = ({ held, balance }) => held <= balance
