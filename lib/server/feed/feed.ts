// Feeds one client from one session: live records, or the missed events if the client is slow.
// Guarantees: every log line and every character reaches the client once, in order, at the client's own pace.
import {
  BehaviorSubject,
  Observable,
  concat,
  defer,
  endWith,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  repeat,
  switchMap,
  take,
  takeWhile,
  tap,
} from 'rxjs'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { laggingFrame } from '../protocol/frame.ts'
import { lineBatch } from '../protocol/transport.ts'
import type { LineBatch, Transport } from '../protocol/transport.ts'
import { CatchUp } from './catch-up.ts'
import { cursorBefore, emptyCursor } from './client-cursor.ts'
import type { ClientCursor } from './client-cursor.ts'
import { joinUpdates } from './join-updates.ts'
import type { ServedSession } from './served-session.ts'
import type { Batch } from './tick-batcher.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** The back-pressure of one client, over all its sessions. */
export interface Pressure extends Pick<Transport, 'unsent' | 'drained$'> {
  /** Whether lines are sent in batches; if not, each line is delivered when it is sent. */
  readonly takesBatches: boolean
  /** Functions that flush the batches of this tick; the connection calls them before it sends anything else. */
  readonly flushes: Set<() => void>
}

export interface FeedOptions {
  /** The last `seq` that the client has. */
  readonly after: number
  /** Whether `caught_up` is sent when the log has been read. */
  readonly isMarked: boolean
  /** False leaves out the pieces of messages and of tool output. */
  readonly deltas: boolean
  /** Milliseconds over which pieces are joined; 0: none. */
  readonly joinMs: number
  readonly pressure: Pressure
  readonly bounds?: FeedBounds
  /** Calls a step after other work had its turn; returns a function that cancels it. Default: `yieldToEventLoop`. */
  readonly schedule?: (step: () => void) => () => void
}

/** In UTF-16 units. */
export interface FeedBounds {
  /** A client with more unsent falls behind: nothing more is held for it. Default 1 MiB. */
  readonly unsent: number
  /**
   * A client that is behind gets so much before it must take it and others have their turn; also the size of one piece.
   * Default 64 KiB.
   */
  readonly portion: number
}

const defaultBounds: FeedBounds = { unsent: 1024 * 1024, portion: 65_536 }

type FeedState = { readonly name: 'live' } | { readonly name: 'behind'; readonly missing$: Observable<LineBatch> }

/**
 * Cold. Behind, it sends the log after `after`, then the open message and output; if nothing is missing it is live, in
 * the same synchronous stretch. Live, it sends records as they come; a client with more than 1 MiB unsent gets
 * `lagging` and is behind again from there. Buffers one portion and the joined pieces. Completes when the session is
 * closed; fails if the log cannot be read. Unsubscribing drops what was not emitted.
 */
export function feed(served: ServedSession, options: FeedOptions): Observable<LineBatch> {
  const { bounds = defaultBounds, pressure, schedule = yieldToEventLoop } = options
  return defer(() => {
    const enterLive = (): void => {
      state$.next({ name: 'live' })
    }
    const fallBehind = (records: readonly SessionRecord[]): void => {
      const { session } = served
      const after = seqBefore(records, session.state$.value.seq)
      const cursor = cursorBefore(
        session.state$.value,
        records.map(({ event }) => event),
      )
      const catchUp = catchUpFrom(served, options, bounds, { after, cursor, isMarked: true })
      const lagging$ = of(lineBatch(laggingFrame(session.id, after)))
      const missing$ = readMissing(catchUp, { bounds, pressure, ready$, enterLive })
      state$.next({ name: 'behind', missing$: concat(lagging$, ready$.pipe(ignoreElements()), missing$) })
    }
    const ready$ = readyForMore(pressure, bounds, schedule)
    const { after, isMarked } = options
    const catchUp = catchUpFrom(served, options, bounds, { after, cursor: emptyCursor(), isMarked })
    const missing$ = readMissing(catchUp, { bounds, pressure, ready$, enterLive })
    const state$ = new BehaviorSubject<FeedState>({ name: 'behind', missing$ })
    const live$ = liveBatches(served, options, bounds).pipe(
      filter((batch) => {
        if (!batch.isCurrent || pressure.unsent() <= bounds.unsent) return true
        fallBehind(batch.records)
        return false
      }),
    )
    return state$.pipe(
      switchMap((state) =>
        (state.name === 'live' ? live$ : untilClosed(served, state.missing$)).pipe(
          tap({ complete: () => state$.complete() }), // the session was closed
        ),
      ),
    )
  })
}

function catchUpFrom(
  served: ServedSession,
  { deltas }: FeedOptions,
  { portion: longest }: FeedBounds,
  start: { readonly after: number; readonly cursor: ClientCursor; readonly isMarked: boolean },
): CatchUp {
  return new CatchUp(served, { ...start, deltas, longest })
}

/** The last `seq` before these records, which are the latest. */
function seqBefore(records: readonly SessionRecord[], head: number): number {
  const first = records.find(({ seq }) => seq !== undefined)?.seq
  return first === undefined ? head : first - 1
}

interface MissingOptions {
  readonly bounds: FeedBounds
  readonly pressure: Pressure
  readonly ready$: Observable<unknown>
  enterLive(): void
}

/** Emits portion after portion, each when the one before is taken, and calls `enterLive` when nothing is missing. */
function readMissing(catchUp: CatchUp, { bounds, pressure, ready$, enterLive }: MissingOptions): Observable<LineBatch> {
  const batchLength = pressure.takesBatches ? bounds.portion : 1
  function* readPortion(): Generator<LineBatch> {
    for (let room = bounds.portion; room > 0;) {
      const batch = catchUp.next(Math.min(room, batchLength)) // sending a batch may have made more missing
      if (batch === undefined) {
        enterLive()
        return
      }
      yield batch
      room -= batch.length
    }
  }
  return defer(readPortion).pipe(repeat({ delay: () => ready$ }))
}

/** Emits once when the client has taken what it was sent and other work had its turn. */
function readyForMore(
  { unsent, drained$ }: Pressure,
  { portion }: FeedBounds,
  schedule: (step: () => void) => () => void,
): Observable<void> {
  const turn$ = new Observable<void>((subscriber) =>
    schedule(() => {
      subscriber.next()
      subscriber.complete()
    }),
  )
  return defer(() =>
    unsent() < portion
      ? turn$
      : drained$.pipe(
          take(1),
          mergeMap(() => turn$),
        ),
  )
}

/** The missing lines; completes when the session is closed, even if some are still missing. */
function untilClosed({ session }: ServedSession, missing$: Observable<LineBatch>): Observable<LineBatch> {
  const closed$ = session.records$.pipe(ignoreElements(), endWith(undefined))
  return merge(missing$, closed$).pipe(takeWhile((batch) => batch !== undefined))
}

/** The records from the subscription on, as batches: shared by all clients if this one takes all lines in batches. */
function liveBatches(
  served: ServedSession,
  { deltas, joinMs, pressure }: FeedOptions,
  { portion }: FeedBounds,
): Observable<Batch> {
  const { session, frameOf, batcher } = served
  if (pressure.takesBatches && deltas && joinMs === 0) {
    return defer(() => {
      pressure.flushes.add(batcher.flush)
      return batcher.batches$.pipe(finalize(() => pressure.flushes.delete(batcher.flush)))
    })
  }
  const record$ = session.records$.pipe(filter((record) => deltas || !isPiece(record)))
  const groups$ =
    joinMs === 0 ? record$.pipe(map((record) => [record])) : record$.pipe(joinUpdates({ ms: joinMs, longest: portion }))
  return groups$.pipe(
    map((records) => {
      const lines = records.map(frameOf)
      const length = lines.reduce((sum, line) => sum + line.length, 0)
      return { records, lines, length, isCurrent: true, endsTick: false }
    }),
  )
}

function isPiece({ event, line }: SessionRecord): boolean {
  return line === undefined && event.type !== 'status'
}
