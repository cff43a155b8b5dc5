// Writes lines to a stream: one write a tick.
// The next piece follows when the system has taken the one before.
import type { Writable } from 'node:stream'
import { writeTimeout } from './write-timeout.ts'
import { cutBetweenCharacters } from '../../streams/values/text-cursor.ts'

export interface LineWriterOptions {
  /** Milliseconds within which the system must take some of what waits. */
  readonly takesWithinMs: number
  /** Called if nothing was taken for so long. */
  onStall(): void
  /** Called when everything has been taken. */
  onDrain(): void
  /** Default: each line with a line feed. */
  readonly encoding?: LineEncoding
}

/** How lines become bytes. */
export interface LineEncoding {
  /** Encodes the lines of a tick, of this total length; many writers share the result and do not change it. */
  join(lines: readonly string[], length: number): string | Uint8Array
  /**
   * Returns the encoder of one writer's pieces, in order: whole lines, each with its line feed, and parts of a long one.
   */
  createEncoder(): (piece: string | Uint8Array) => string | Uint8Array
}

export interface LineWriter {
  /** UTF-16 units that were not taken. */
  unsent(): number
  add(line: string): void
  /** Adds lines that other writers share, of this length; writes them at once if nothing waits. */
  addAll(lines: readonly string[], length: number): void
  /** Writes what waits without waiting for the end of the tick. */
  flush(): void
  /** Stops writing and drops what waits. */
  stop(): void
}

/** UTF-16 units of one write; the stream itself holds less than two. */
const pieceLength = 65_536

export function lineWriter(
  output: Writable,
  { takesWithinMs, onStall, onDrain, encoding = lineFeeds }: LineWriterOptions,
): LineWriter {
  const encode = encoding.createEncoder()
  const waiting = new Outbox(pieceLength)
  const limit = writeTimeout(takesWithinMs, onStall)
  let tick: NodeJS.Immediate | undefined
  let stopped = false
  /** Whether something stayed unsent after a flush: then `onDrain` is called when it is taken. */
  let isBehind = false

  const unsent = (): number => waiting.length + output.writableLength
  const flush = (): void => {
    if (tick !== undefined) clearImmediate(tick)
    tick = undefined
    while (waiting.length > 0 && output.writableLength < pieceLength) output.write(encode(waiting.take()), onTaken)
    isBehind ||= unsent() > 0
    limit.setWaiting(output.writableLength > 0)
  }
  const onTaken = (): void => {
    if (stopped || !isBehind) return
    limit.restart()
    flush()
    if (unsent() > 0) return
    isBehind = false
    onDrain()
  }
  return {
    unsent,
    flush,
    add: (line) => {
      waiting.add(line)
      isBehind = true
      if (waiting.length >= pieceLength) flush()
      else tick ??= setImmediate(flush)
    },
    addAll: (lines, length) => {
      const isNext = waiting.length === 0 && output.writableLength < pieceLength
      if (isNext && length <= pieceLength) output.write(encoding.join(lines, length), onTaken)
      else for (const line of lines) waiting.add(line)
      flush()
    },
    stop: () => {
      stopped = true
      clearImmediate(tick)
      limit.stop()
      waiting.clear()
    },
  }
}

/**
 * Queues lines for writing in pieces of a bounded size: joins short lines, cuts a long one between characters. Stores
 * the lines as they are: many outboxes share one string.
 */
export class Outbox {
  readonly #size: number
  #lines: string[] = []
  /** Index of the first line that waits. */
  #next = 0
  /** UTF-16 units of that line that were taken. */
  #from = 0
  #length = 0

  /** @param size of a piece, in UTF-16 units; at least 2 */
  constructor(size: number) {
    this.#size = size
  }

  /** UTF-16 units that wait, line feeds included. */
  get length(): number {
    return this.#length
  }

  add(line: string): void {
    this.#lines.push(line)
    this.#length += line.length + 1
  }

  /** Returns what to write next, as a string or as UTF-8 that the caller does not change; empty if nothing waits. */
  take(): string | Uint8Array {
    return this.#length <= this.#size && this.#next === 0 && this.#from === 0 ? this.#takeAll() : this.#takePiece()
  }

  clear(): void {
    this.#lines = []
    this.#next = 0
    this.#from = 0
    this.#length = 0
  }

  #takeAll(): string | Uint8Array {
    const whole = joinLines(this.#lines, this.#length)
    this.clear()
    return whole
  }

  #takePiece(): Uint8Array {
    let taken = ''
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      const added = this.#cut(line, this.#size - taken.length)
      if (added === '') break
      taken += added
    }
    this.#length -= taken.length
    if (this.#next > 4_096) {
      this.#lines = this.#lines.slice(this.#next)
      this.#next = 0
    }
    return Buffer.from(taken)
  }

  /** Returns the rest of a line with its line feed, or as much as fits; empty if only half a character fits. */
  #cut(line: string, room: number): string {
    const from = this.#from
    if (line.length - from < room) {
      this.#lines[this.#next] = '' // releases the line before the array is cut: it may be large
      this.#next += 1
      this.#from = 0
      return `${line.slice(from)}\n`
    }
    this.#from = cutBetweenCharacters(line, from + room)
    return line.slice(from, this.#from)
  }
}

/** UTF-16 units up to which writing a string is faster than encoding it first. */
const shortLength = 2_048

/** Joins lines of this total length with their line feeds: a string, or UTF-8 that the caller does not change. */
export const joinLines = joinOnce((lines, length) => {
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  return length <= shortLength ? text : Buffer.from(text)
})

const lineFeeds: LineEncoding = { join: joinLines, createEncoder: () => (piece) => piece }

/** Stores the last result of `join`, because many clients get the same lines in one tick. */
export function joinOnce<Joined>(
  join: (lines: readonly string[], length: number) => Joined,
): (lines: readonly string[], length: number) => Joined {
  let last: { readonly lines: readonly string[]; readonly joined: Joined } | undefined
  return (lines, length) => {
    if (last === undefined || !hasSameLines(lines, last.lines)) last = { lines, joined: join(lines, length) }
    return last.joined
  }
}

/** Comparing the strings is cheap: clients share them as the same objects. */
function hasSameLines(lines: readonly string[], others: readonly string[]): boolean {
  if (lines === others) return true
  if (lines.length !== others.length) return false
  for (let index = lines.length - 1; index >= 0; index--) if (lines[index] !== others[index]) return false
  return true
}
