/** Whether a value is to be awaited. A getter may throw. */
export function isThenable (value) {
  return typeof value === 'object' && value !== null && typeof value.then === 'function'
}
