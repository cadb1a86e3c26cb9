// The socket to the program: batches what is sent, holds back what cannot leave, ends the worker with the socket.
//
// (1) Messages leave in the order in which they were sent.
// (2) A message is either whole in one frame or not there.
// (3) While more than `queueBytesMax` waits to leave, nothing more is read.
// (4) The worker never outlives the socket.

import net from 'node:net'
import { writeSync } from 'node:fs'
import { encodeFrame, FrameReader } from './frames.mjs'
import { frameBytesGoal, frameBytesMax, queueBytesMax, readBytes, socketBytesMax } from './limits.mjs'

export class Channel {
  #descriptor
  #socket
  #messages = []
  #documents = [] // of #messages[i]: a list of texts, or null
  #bytes = [] // of #messages[i]: all its documents
  #queued = 0
  #scheduled = false
  #blocked = false
  #paused = false

  constructor (descriptor, onFrame) {
    const reader = new FrameReader(onFrame)

    this.#descriptor = descriptor
    this.#socket = new net.Socket({
      fd: descriptor,
      readable: true,
      writable: true,
      writableHighWaterMark: socketBytesMax,
      onread: {
        buffer: Buffer.allocUnsafe(readBytes),
        callback: (size, buffer) => {
          reader.push(size === buffer.length ? buffer : buffer.subarray(0, size))
          this.#paused = this.#queued > queueBytesMax

          return !this.#paused
        }
      }
    })

    const leave = () => process.reallyExit(0) // no 'exit' listener of the author may hold it up

    this.#socket.on('error', leave)
    this.#socket.on('end', leave)
    this.#socket.on('close', leave)
    this.#socket.on('drain', () => {
      this.#blocked = false
      this.#flush()
    })
    this.#socket.resume()
  }

  /** Bytes that wait to leave, the socket's own not counted. */
  get queued () {
    return this.#queued
  }

  /** Sends a message: its JSON text, its documents' texts (or null) and their length in bytes. */
  send (message, documents = null, bytes = 0) {
    this.#messages.push(message)
    this.#documents.push(documents)
    this.#bytes.push(bytes)
    this.#queued += bytes + message.length

    if (this.#scheduled) return

    this.#scheduled = true
    setImmediate(this.#onImmediate)
  }

  // Runs once the loop has read what there was and all promises have settled: everything that is ready leaves together.
  // A tick asked for by a microtask was no faster for a lone run, and its batches are smaller.
  #onImmediate = () => {
    this.#scheduled = false
    this.#flush()
  }

  #flush () {
    while (this.#messages.length > 0 && !this.#blocked) this.#blocked = !this.#socket.write(this.#nextFrame())

    if (this.#paused && this.#queued <= queueBytesMax) {
      this.#paused = false
      this.#socket.resume()
    }
  }

  #nextFrame () {
    const documents = []
    let count = 0
    let bytes = 0
    let total = 0

    do {
      const own = this.#documents[count]

      if (own !== null) for (const document of own) documents.push(document)

      bytes += this.#bytes[count]
      total += this.#bytes[count] + this.#messages[count].length
      count++
    } while (count < this.#messages.length && total < frameBytesGoal && !this.#overfull(total, count))

    const whole = count === this.#messages.length
    const messages = whole ? this.#messages : this.#messages.splice(0, count)

    if (whole) {
      this.#messages = []
      this.#documents = []
      this.#bytes = []
    } else {
      this.#documents.splice(0, count)
      this.#bytes.splice(0, count)
    }

    this.#queued -= total

    return encodeFrame(messages, documents, bytes)
  }

  // A message's characters may take three bytes each.
  #overfull (total, next) {
    return 3 * (total + this.#messages[next].length) + this.#bytes[next] > frameBytesMax
  }

  /** Calls back once everything sent so far has been handed to the system. */
  settle (done) {
    if (this.#messages.length === 0 && this.#socket.writableLength === 0) return done()

    this.#flush()
    this.#socket.write('', () => this.settle(done))
  }

  /** Writes what is left while the process is ending; gives up where the socket cannot take it. */
  flushNow () {
    if (this.#socket.writableLength > 0) return // would overtake what the stream still holds

    try {
      while (this.#messages.length > 0) writeSync(this.#descriptor, this.#nextFrame())
    } catch {
      // the reader is gone or slow; the process is ending anyway
    }
  }
}
