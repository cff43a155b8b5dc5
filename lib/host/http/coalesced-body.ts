// Reads a fast response in batches of 25 ms, so that one wake-up of the process serves many chunks.
//
// Effect: one delta a millisecond costs the whole agent 38 µs of CPU with it, 84 µs without it. A chunk is up to 26 ms
// late.
// Measurement: "CPU of a delta" in docs/performance.md; docs/decisions/0092 and docs/decisions/0151.
// Node versions: 22 and 24. It uses `_handle.readStop()` of a socket, which Node does not document; if a socket has no
// such handle, it reads like `plainBody`. Off switch: `nodeTransport()` without `readBody`, which is the library's
// default; `coalesceReads: false` of a server.
//
// Guarantees: the first chunk never waits, nor a stream below 240 chunks a second, nor one that fills its buffer.
import type { IncomingMessage } from 'node:http'
import { Observable } from 'rxjs'
import { fromReadable } from '../../streams/rx/from-readable.ts'
import type { RawBody } from './raw-body.ts'

/** Milliseconds of one batch: less than the time between two frames of the terminal UI, which draws 30 a second. */
export const batchMs = 25
/** A batch of so many chunks is a fast stream still: 240 a second. */
const fastChunks = 6
/** Reads that follow one another within so many milliseconds … */
const fastMs = 3
/** … so many times in a row, are a fast stream. */
const fastReadsInRow = 2
/** A read of so many bytes fills the buffer; the next read does not wait. */
const fullBytes = 16_384

/**
 * Emits each chunk as it was sent, in order, to one subscriber. Between two reads of a fast stream the socket is not
 * read for `batchMs`; the system buffers meanwhile. Completes and fails as the body does; unsubscribing destroys the
 * body.
 */
export function coalescedBody({ message, body }: RawBody): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    const reads = readPacing()
    const pause = socketPause(message)
    let chunks = 0
    let bytes = 0
    let readEnd: NodeJS.Immediate | undefined
    const onReadEnd = (): void => {
      const waits = reads.next({ at: performance.now(), chunks, bytes })
      chunks = 0
      bytes = 0
      if (waits) pause.begin()
    }
    subscriber.add(() => {
      clearImmediate(readEnd)
      pause.end()
    })
    subscriber.add(
      fromReadable(body).subscribe({
        next: (chunk) => {
          if (chunks === 0) readEnd = setImmediate(onReadEnd) // after all chunks of this read; TLS emits them one by one
          chunks += 1
          bytes += chunk.length
          subscriber.next(chunk)
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          subscriber.complete()
        },
      }),
    )
  })
}

interface Handle {
  readonly reading: boolean
  readStart(): void
  readStop(): void
}

/** Stops the handle's reads. The stream's `pause` would read on, and wake the process, until a buffer is full. */
function socketPause(message: IncomingMessage) {
  let timer: NodeJS.Timeout | undefined
  const resume = (): void => {
    handleOf(message)?.readStart()
  }
  return {
    begin: (): void => {
      if (message.complete) return // the socket may carry another response already
      const handle = handleOf(message)
      if (handle === undefined) return
      handle.readStop()
      if (timer === undefined) timer = setTimeout(resume, batchMs)
      else timer.refresh()
    },
    end: (): void => {
      clearTimeout(timer)
    },
  }
}

/** The handle of a socket that reads; undefined if this Node's sockets have another shape. */
function handleOf({ socket }: IncomingMessage): Handle | undefined {
  const handle: unknown = Reflect.get(socket, '_handle')
  return isHandle(handle) && handle.reading ? handle : undefined
}

function isHandle(value: unknown): value is Handle {
  if (typeof value !== 'object' || value === null) return false
  return 'reading' in value && ['readStart', 'readStop'].every((name) => typeof Reflect.get(value, name) === 'function')
}

interface Read {
  /** Milliseconds of a monotonic clock. */
  readonly at: number
  /** Chunks of this read, and their bytes. */
  readonly chunks: number
  readonly bytes: number
}

interface ReadPacing {
  /** Takes each read of one response; true if the next one waits for `batchMs`. */
  next(read: Read): boolean
}

/**
 * Decides for one response which reads wait. The first read never waits, nor does the read after a pause. A batched
 * stream counts as fast while a batch has at least six chunks.
 */
export function readPacing(): ReadPacing {
  let last = -Infinity
  let inRow = 0
  let isBatching = false
  return {
    next: ({ at, chunks, bytes }) => {
      const isFast = isBatching ? chunks >= fastChunks : at - last < fastMs
      last = at
      inRow = isFast ? inRow + 1 : 0
      isBatching = inRow >= fastReadsInRow && bytes < fullBytes
      return isBatching
    },
  }
}
