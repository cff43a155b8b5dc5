// Splits hostile bytes into lines.
// Guarantees: only a line feed ends a line; it holds at most the limit and skips the rest of a longer line.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { isBlank, lineLimit } from './transport.ts'
import type { IncomingLine } from './transport.ts'

export interface LineFramerOptions {
  /** Bytes of a line without its line feed. Default 16 MiB. */
  readonly limit?: number
}

const lineFeed = 0x0a
const initialLength = 4_096
/** Bytes: a buffer that a long line has grown beyond is replaced. */
const longestReused = 65_536

/**
 * Cuts chunks of bytes into lines, synchronously with each chunk. Blank lines are left out; the last line counts
 * without its line feed; a line over the limit is emitted once as `too_large`, as soon as it is. Completes and fails
 * with its source (a failure drops the line begun). Holds the unfinished line, copied: at most `limit` bytes, in a
 * buffer that doubles.
 */
export function lineFramer({ limit = lineLimit }: LineFramerOptions = {}): OperatorFunction<Uint8Array, IncomingLine> {
  return (chunks$) =>
    new Observable((subscriber) => {
      const line = lineBuffer(limit)
      const emit = (bytes: Uint8Array): void => {
        const read = readLine(bytes)
        if (read !== undefined) subscriber.next(read)
      }
      const take = (piece: Uint8Array, ends: boolean): void => {
        const fits = line.add(piece)
        if (fits === 'overflow') subscriber.next({ problem: 'too_large' })
        if (!ends) return
        if (fits === 'fits') emit(line.bytes())
        line.clear()
      }
      return chunks$.subscribe({
        next: (chunk) => {
          let from = 0
          for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
            take(chunk.subarray(from, end), true)
            from = end + 1
          }
          if (from < chunk.length) take(chunk.subarray(from), false)
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          take(new Uint8Array(), true)
          subscriber.complete()
        },
      })
    })
}

interface LineBuffer {
  /** `overflow` once, when the line passes the limit; `skipped` for the rest of it. */
  add(piece: Uint8Array): 'fits' | 'overflow' | 'skipped'
  bytes(): Uint8Array
  clear(): void
}

function lineBuffer(limit: number): LineBuffer {
  let held = new Uint8Array(initialLength)
  let length = 0
  let skipping = false
  return {
    add: (piece) => {
      if (skipping) return 'skipped'
      if (length + piece.length > limit) {
        held = new Uint8Array(initialLength)
        skipping = true
        return 'overflow'
      }
      if (length + piece.length > held.length) held = growBuffer(held, length, length + piece.length)
      held.set(piece, length)
      length += piece.length
      return 'fits'
    },
    bytes: () => held.subarray(0, length),
    clear: () => {
      if (held.length > longestReused) held = new Uint8Array(initialLength)
      length = 0
      skipping = false
    },
  }
}

function growBuffer(held: Uint8Array, length: number, wanted: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(wanted, held.length * 2))
  larger.set(held.subarray(0, length))
  return larger
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Returns undefined for a blank line. */
function readLine(bytes: Uint8Array): IncomingLine | undefined {
  try {
    const text = decoder.decode(bytes)
    return isBlank(text) ? undefined : { text }
  } catch {
    return { problem: 'not_utf8' }
  }
}
