// What a session tells in one tick is made into lines once and handed to all its live clients together: a client costs a call a tick.
import type { Observable, Subscription } from 'rxjs'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** What was told since the last one, in order; not to be changed. */
export interface Batch {
  readonly records: readonly SessionRecord[]
  /** Their frames. */
  readonly lines: readonly string[]
  /** UTF-16 units of the lines. */
  readonly length: number
}

export interface Listener {
  /**
   * Gets what was told since it joined or was last told.
   * @param isLast whether the session's state is what it is after the batch; not where the batch was asked for early
   */
  told(batch: Batch, isLast: boolean): void
  /** The session was closed. */
  closed(): void
}

export interface Broadcast {
  /** From the next record on. Returns what ends that, after what was told until then. */
  join(listener: Listener): () => void
  /** Hands out now what was told until now. */
  flush(): void
}

export interface BroadcastOptions {
  readonly records$: Observable<SessionRecord>
  frameOf(record: SessionRecord): string
  /** Calls when the tick is over that began with a record; returns what takes that back. */
  readonly tick: (flush: () => void, first: SessionRecord) => () => void
}

/** UTF-16 units that are handed out without waiting for the tick's end. */
const longestBatch = 65_536

/** Subscribes to the records while somebody listens; holds a tick's records, 64 KiB, or those up to a block's first piece. */
export function broadcast({ records$, frameOf, tick }: BroadcastOptions): Broadcast {
  let listeners: readonly Listener[] = [] // replaced, not changed: it may be gone through just now
  let records: SessionRecord[] = []
  let lines: string[] = []
  let length = 0
  let untick: (() => void) | undefined
  let subscription: Subscription | undefined

  const handOut = (isLast: boolean): void => {
    untick?.()
    untick = undefined
    if (records.length === 0) return
    const batch = { records, lines, length }
    records = []
    lines = []
    length = 0
    for (const listener of listeners) listener.told(batch, isLast)
  }
  const tell = (record: SessionRecord): void => {
    const line = frameOf(record)
    records.push(record)
    lines.push(line)
    length += line.length
    if (length > longestBatch || isFirstPiece(record)) handOut(true)
    else untick ??= tick(() => handOut(true), record)
  }
  const flush = (): void => {
    handOut(false)
  }
  const end = (): void => {
    handOut(true)
    for (const listener of listeners) listener.closed()
  }
  return {
    flush,
    join: (listener) => {
      flush()
      listeners = [...listeners, listener]
      subscription ??= records$.subscribe({ next: tell, complete: end })
      return () => {
        if (!listeners.includes(listener)) return
        flush()
        listeners = listeners.filter((each) => each !== listener)
        if (listeners.length > 0) return
        subscription?.unsubscribe()
        subscription = undefined
      }
    },
  }
}

/** The first word of an answer, or of a part of it, is waited for by people: it does not wait for what comes in the same tick. */
function isFirstPiece({ event }: SessionRecord): boolean {
  return event.type === 'message_update' && 'offset' in event.delta && event.delta.offset === 0
}
