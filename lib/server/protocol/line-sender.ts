// Sends the lines of a transport: open, then closing while the rest is sent, then over.
// Guarantees: it ends once; after `close` it takes no line, and ends within `closesWithinMs`.
import type { Writable } from 'node:stream'
import { ReplaySubject, Subject } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { lineWriter } from './line-writer.ts'
import type { LineEncoding } from './line-writer.ts'
import type { Transport } from './transport.ts'

/** Bounds of unread data, by size and time. */
export interface SenderLimits {
  /**
   * Reads nothing while more UTF-16 units than this are unsent: a client that does not take its answers sends no more
   * requests. For servers: with it at both ends, they could wait for each other. Default: always reads.
   */
  readonly readBelow?: number
  /** Disconnects an end that takes nothing for so many milliseconds. Default 60,000. */
  readonly takesWithinMs?: number
  /** Milliseconds for sending the rest at `close`, and for the other end to close too. Default 5,000. */
  readonly closesWithinMs?: number
}

export interface LineSenderOptions extends SenderLimits {
  /** Default: each line with a line feed. */
  readonly encoding?: LineEncoding
  /** Stops reading until `resume`. */
  pause(): void
  resume(): void
  /** Called when everything is sent after `close`: ends the output. */
  finish(): void
  /** Called once, at the end: releases the streams. */
  release(): void
}

export interface LineSender {
  readonly sending: Required<Pick<Transport, 'send' | 'sendAll' | 'unsent' | 'drained$' | 'close'>>
  /** Emits when reading is over: at `close` or at the end; fails if the connection breaks. Replays. */
  readonly over$: Observable<void>
  /** Ends both directions at once; the first call counts. */
  end(failure?: Failure): void
}

/** @param output belongs to the sender, until `release` */
export function lineSender(output: Writable, options: LineSenderOptions): LineSender {
  const { readBelow = Infinity, takesWithinMs = 60_000, closesWithinMs = 5_000, encoding } = options
  const over$ = new ReplaySubject<void>(1)
  const drained$ = new Subject<void>()
  let state: 'open' | 'closing' | 'over' = 'open'
  let closing: NodeJS.Timeout | undefined

  const end = (failure?: Failure): void => {
    if (state === 'over') return
    state = 'over'
    writer.stop()
    clearTimeout(closing)
    options.release()
    endSubjects(over$, drained$, failure)
  }
  const writer = lineWriter(output, {
    takesWithinMs,
    ...(encoding !== undefined && { encoding }),
    onStall: () => end(stallFailure(takesWithinMs)),
    onDrain: () => {
      if (state === 'closing') options.finish()
      options.resume()
      drained$.next()
    },
  })
  const whileOpen = (write: () => void): void => {
    if (state !== 'open') return
    write()
    if (writer.unsent() > readBelow) options.pause()
  }
  const close = (): void => {
    if (state !== 'open') return
    state = 'closing'
    closing = setTimeout(end, closesWithinMs)
    over$.next()
    writer.flush()
    if (writer.unsent() === 0) options.finish()
  }
  return {
    sending: {
      unsent: writer.unsent,
      drained$: drained$.asObservable(),
      send: (line) => whileOpen(() => writer.add(line)),
      sendAll: (lines, length) => whileOpen(() => writer.addAll(lines, length)),
      close,
    },
    over$: over$.asObservable(),
    end,
  }
}

function endSubjects(over$: Subject<void>, drained$: Subject<void>, failure: Failure | undefined): void {
  if (failure === undefined) over$.next()
  else over$.error(failure)
  drained$.complete()
}

function stallFailure(ms: number): Failure {
  return new Failure('disconnected', `The other end read nothing of what was sent to it for ${ms} ms`)
}
