// In place of the run in the contexts of code that only tells what is to be: it runs again for the same change, so it
// may call nothing.

export const pure = (who) => ({
  call (where, endpoint) {
    throw new Error(`'${endpoint}' was called by ${who}: its functions run again for the same change, so they may call nothing`)
  },

  leave () {}
})
