// Batches a session's records by event-loop tick.
// A record becomes a line once, and a client costs one write a tick.
import { Observable, Subject, defer, share } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { LineBatch } from '../protocol/transport.ts'

/** Records in order, and their frames. All subscribers share the arrays and do not change them. */
export interface Batch extends LineBatch {
  readonly records: readonly SessionRecord[]
  /**
   * Whether the session's state is the state after these records; unknown, so false, if the batch was flushed early.
   */
  readonly isCurrent: boolean
}

export interface TickBatcherOptions {
  frameOf(record: SessionRecord): string
  /** Calls `emit` at the end of the tick that began with `first`; returns a function that cancels the call. */
  readonly tick: (emit: () => void, first: SessionRecord) => () => void
}

export interface TickBatcher {
  /** Hot, shared by all clients: the records from the subscription on. Subscribing flushes what waits for others. */
  readonly batches$: Observable<Batch>
  /** Emits what waits for the end of the tick now. */
  flush(): void
}

/** Subscribes to the records while a client is subscribed. */
export function tickBatcher(records$: Observable<SessionRecord>, options: TickBatcherOptions): TickBatcher {
  const flush$ = new Subject<void>()
  const shared$ = records$.pipe(batchByTick({ ...options, flush$ }), share())
  const flush = (): void => {
    flush$.next()
  }
  return {
    flush,
    batches$: defer(() => {
      flush()
      return shared$
    }),
  }
}

/** UTF-16 units after which a batch does not wait for the end of the tick. */
const longestBatch = 65_536

/**
 * Emits the records of a tick as one batch, at its end. A batch does not wait after 64 KiB, after the first piece of a
 * block, or if `flush$` emits. Completes with the source after the last batch, and fails with it. Holds the records of
 * one tick; unsubscribing drops them.
 */
function batchByTick({
  frameOf,
  tick,
  flush$,
}: TickBatcherOptions & { readonly flush$: Observable<unknown> }): OperatorFunction<SessionRecord, Batch> {
  return (records$) =>
    new Observable((subscriber) => {
      let records: SessionRecord[] = []
      let lines: string[] = []
      let length = 0
      let cancelTick: (() => void) | undefined

      const emit = (isCurrent: boolean): void => {
        cancelTick?.()
        cancelTick = undefined
        if (records.length === 0) return
        const batch: Batch = { records, lines, length, isCurrent, endsTick: true }
        records = []
        lines = []
        length = 0
        subscriber.next(batch)
      }
      const add = (record: SessionRecord): void => {
        const line = frameOf(record)
        records.push(record)
        lines.push(line)
        length += line.length
        if (length > longestBatch || isFirstPiece(record)) emit(true)
        else cancelTick ??= tick(() => emit(true), record)
      }
      subscriber.add(() => cancelTick?.())
      subscriber.add(flush$.subscribe(() => emit(false)))
      subscriber.add(
        records$.subscribe({
          next: add,
          error: (error: unknown) => {
            subscriber.error(error)
          },
          complete: () => {
            emit(true)
            subscriber.complete()
          },
        }),
      )
    })
}

/** People wait for the first piece of an answer, so it does not wait for the rest of its tick. */
function isFirstPiece({ event }: SessionRecord): boolean {
  return event.type === 'message_update' && 'offset' in event.delta && event.delta.offset === 0
}
