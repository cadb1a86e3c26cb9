export const guard = (state) => state.weight <= 100
