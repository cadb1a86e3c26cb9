// Every bound of the worker, with its reason. Bytes are UTF-8, times are milliseconds.

const KiB = 1024
const MiB = 1024 * KiB

/** Head and body of one frame. The other end refuses more, so more is never written. */
export const frameBytesMax = 64 * MiB

/** Documents of one message: leaves the head room within a frame. */
export const documentBytesMax = frameBytesMax - 64 * KiB

/** Where a frame being built is closed and the next one opened: large batches do not wait for their end. */
export const frameBytesGoal = 1 * MiB

/** The read buffer, about what a local socket holds at once. It is used again for every read. */
export const readBytes = 256 * KiB

/** What the socket may hold unsent before frames stay queued. */
export const socketBytesMax = 1 * MiB

/** Queued output at which reading stops: no new run is taken while answers cannot leave. */
export const queueBytesMax = 16 * MiB

/** Queued output at which log messages are dropped: a log must not outgrow the answers. */
export const queueLogBytesMax = 4 * MiB

/** Depth of a value: deeper than any document that people write, far from the end of the stack. */
export const valueDepthMax = 100

/** Parts of a value: shared branches could multiply without end; a frame could not hold this many. */
export const valuePartsMax = 32 * MiB

/** Unanswered calls of one run: a loop without `await` stops here, not at the end of the heap. */
export const runCallsMax = 10_000

/** Unanswered locks and accesses to the stash of this worker: the other end allows twice as many. */
export const asksMax = 10_000

/** Parts of a stream that are under way: enough to hide the way there and back, few enough to hold in memory. */
export const streamPartsMax = 16

/** One log message, and the attributes of one. */
export const logBytesMax = 8 * KiB

/** Log messages a second: a hot loop that logs must not become the load. */
export const logsPerSecondMax = 500

/** Frames of a stack searched for the component that logs. */
export const blameFramesMax = 50

/** The message and the stack of an exception, in characters. */
export const exceptionMessageMax = 8 * KiB
export const exceptionStackMax = 16 * KiB

/** Files read to find the one that does not compile. */
export const diagnosedFilesMax = 1_000

/** All `unmount`s together: a stop must end. */
export const unmountMs = 5_000

/** Writing the last log before the worker ends by an uncaught exception. */
export const lastWordsMs = 1_000

/** The longest timer of Node; a later `Retry-After` is cut to it. */
export const pauseMsMax = 2 ** 31 - 1

/** Random bytes taken at once for ids: one request of the system serves 409 ids. */
export const idRandomBytes = 4 * KiB
