// Writes lines to a stream: one write a tick, and the next piece when the system has taken the one before.
import type { Writable } from 'node:stream'
import { joinedLines } from './outbox.ts'
import { Outbox } from './outbox.ts'
import { writeTimeout } from './write-timeout.ts'

export interface LineWriterOptions {
  /** Milliseconds within which the system must take some of what waits. */
  readonly takesWithinMs: number
  /** Called if nothing was taken for so long. */
  onStall(): void
  /** Called when everything has been taken. */
  onDrain(): void
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

export function lineWriter(output: Writable, { takesWithinMs, onStall, onDrain }: LineWriterOptions): LineWriter {
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
    while (waiting.length > 0 && output.writableLength < pieceLength) output.write(waiting.take(), taken)
    isBehind ||= unsent() > 0
    limit.setWaiting(output.writableLength > 0)
  }
  const taken = (): void => {
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
