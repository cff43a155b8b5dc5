// Lines into a stream: one write a tick however many there are, the next piece when the system has taken the one before.
import type { Writable } from 'node:stream'
import { joinedLines } from './outbox.ts'
import { Outbox } from './outbox.ts'
import { takingLimit } from './write-timeout.ts'

export interface LineWriterOptions {
  /** Milliseconds in which something of what waits must be taken. */
  readonly takesWithinMs: number
  /** Nothing was taken for so long. */
  stalled(): void
  /** Everything has been taken. */
  drained(): void
}

export interface LineWriter {
  /** UTF-16 units that were not taken yet. */
  unsent(): number
  add(line: string): void
  /** Lines that others are given too, of this length; written at once where nothing waits. */
  addAll(lines: readonly string[], length: number): void
  /** Writes what waits without waiting for the tick's end. */
  flush(): void
  /** Drops what waits. */
  stop(): void
}

/** UTF-16 units of one write; the stream itself holds less than two. */
const pieceLength = 65_536

export function lineWriter(output: Writable, { takesWithinMs, stalled, drained }: LineWriterOptions): LineWriter {
  const waiting = new Outbox(pieceLength)
  const limit = takingLimit(takesWithinMs, stalled)
  let tick: NodeJS.Immediate | undefined
  let stopped = false
  /** Something was unsent when all was written that the stream takes: who asked knows it, and is told when it is taken. */
  let isBehind = false

  const unsent = (): number => waiting.length + output.writableLength
  const flush = (): void => {
    if (tick !== undefined) clearImmediate(tick)
    tick = undefined
    while (waiting.length > 0 && output.writableLength < pieceLength) output.write(waiting.take(), taken)
    isBehind ||= unsent() > 0
    limit.waits(output.writableLength > 0)
  }
  const taken = (): void => {
    if (stopped || !isBehind) return
    limit.taken()
    flush()
    if (unsent() > 0) return
    isBehind = false
    drained()
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
      if (isNext && length <= pieceLength) output.write(joinedLines(lines, length), taken)
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
