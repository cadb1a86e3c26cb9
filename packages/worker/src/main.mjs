// The one file that a worker is, loaded twice: by Node as the program, and by the thread of the module hooks.

import { hooksQuery, load } from './hooks.mjs'
import { installMishaps } from './mishaps.mjs'
import { Worker } from './worker.mjs'

export { load } // for the hooks' thread

if (!import.meta.url.endsWith(hooksQuery)) {
  const worker = new Worker(Number(process.env.TOA_BRIDGE_FD ?? 3))

  delete process.env.TOA_BRIDGE_FD // nothing that the author starts may take the socket for its own
  installMishaps(worker)
}
