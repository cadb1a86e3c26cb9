// Frames as bytes: cutting a stream into frames, and making one of messages. Knows nothing of what messages mean.

import { frameBytesMax } from './limits.mjs'

const prefixBytes = 8

/**
 * Cuts the stream into frames. `onFrame(head, body)` gets the parsed head and a view of the body that is valid only
 * until it returns: the read buffer is used again.
 */
export class FrameReader {
  #onFrame
  #prefix = Buffer.allocUnsafe(prefixBytes)
  #partial = this.#prefix // the frame (or its prefix) that is still incomplete
  #filled = 0

  constructor (onFrame) {
    this.#onFrame = onFrame
  }

  push (chunk) {
    let at = 0

    while (at < chunk.length) {
      if (this.#filled === 0) {
        const end = wholeFrame(chunk, at)

        if (end !== -1) {
          this.#emit(chunk, at, end)
          at = end
          continue
        }
      }

      at = this.#collect(chunk, at)
    }
  }

  #collect (chunk, at) {
    const taken = Math.min(this.#partial.length - this.#filled, chunk.length - at)

    chunk.copy(this.#partial, this.#filled, at, at + taken)
    this.#filled += taken

    if (this.#filled === this.#partial.length) this.#grow()

    return at + taken
  }

  #grow () {
    if (this.#partial === this.#prefix) {
      const bytes = frameBytes(this.#prefix, 0)

      this.#partial = Buffer.allocUnsafe(bytes)
      this.#prefix.copy(this.#partial)

      if (bytes > prefixBytes) return
    }

    const frame = this.#partial

    this.#partial = this.#prefix
    this.#filled = 0
    this.#emit(frame, 0, frame.length)
  }

  #emit (buffer, at, end) {
    const head = buffer.readUInt32LE(at)
    const body = at + prefixBytes + head

    this.#onFrame(JSON.parse(buffer.utf8Slice(at + prefixBytes, body)), buffer.subarray(body, end))
  }
}

/** Where the frame that starts at `at` ends, or -1 where the chunk does not hold all of it. */
function wholeFrame (chunk, at) {
  if (chunk.length - at < prefixBytes) return -1

  const end = at + frameBytes(chunk, at)

  return end <= chunk.length ? end : -1
}

function frameBytes (buffer, at) {
  const bytes = buffer.readUInt32LE(at) + buffer.readUInt32LE(at + 4)

  if (bytes > frameBytesMax) throw new RangeError(`A frame of ${bytes} bytes is over the limit of ${frameBytesMax}`)

  return bytes + prefixBytes
}

/** One frame of messages (JSON texts) and of the documents that they measure. */
export function encodeFrame (messages, documents, documentBytes) {
  const head = `[${messages.join(',')}]`
  const headBytes = Buffer.byteLength(head)
  const frame = Buffer.allocUnsafe(prefixBytes + headBytes + documentBytes)

  frame.writeUInt32LE(headBytes, 0)
  frame.writeUInt32LE(documentBytes, 4)
  frame.utf8Write(head, prefixBytes)

  let at = prefixBytes + headBytes

  for (const document of documents) at += frame.utf8Write(document, at)

  return frame
}
