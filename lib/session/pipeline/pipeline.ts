// The one writer: numbering, writing, folding and publishing an event is one uninterrupted step (law 3).
import { Observable, Subject, tap, skip } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { number } from '../../operators/record/number.ts'
import type { NumberedRecord } from '../../operators/record/number.ts'
import { record as recordTo } from '../../operators/record/record.ts'
import { reportUnhandled } from '../../operators/core/report-unhandled.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { PendingRecord, SessionRecord } from '../../streams/log/log-line.ts'
import { stateKeeper } from './projection.ts'
import type { StateKeeper } from './projection.ts'
import { stepQueue } from './serial-executor.ts'
import type { StepQueue } from './serial-executor.ts'
import { writeWaiters } from './pending-acks.ts'
import type { WriteWaiters } from './pending-acks.ts'
import { broadcast } from './broadcast.ts'

export interface Pipeline {
  readonly state$: Behavior<SessionState>
  /** Live; completes when the pipeline is closed. */
  readonly records$: Observable<SessionRecord>
  /** The same for their events. */
  readonly events$: Observable<AgentEvent>
  /** Puts an event in; it is recorded at once, or behind the one that is being recorded now. */
  push(pending: PendingRecord): void
  /** The same, and emits once when the event was written and folded; fails where it could not be written. */
  write(pending: PendingRecord): Observable<void>
  /** Emits once when the next event that `matches` was written and folded; fails where writing fails. */
  next(matches: (record: SessionRecord) => boolean): Observable<void>
  /**
   * Tries again what could not be written, where something waits — unless an event is being delivered just now.
   * @throws Failure `storage` where it still cannot be
   */
  recover(): void
  /** As the log's; where the sync fails, everybody is told, and a run that is on ends. */
  durable(): Observable<void>
  /** Completes when everything that was put in before has been told, or waits for the log to take it. */
  handled(): Observable<never>
  close(): void
}

export interface PipelineOptions {
  readonly log: SessionLog
  readonly initial: SessionState
  /** Told once for each time that the log stops taking lines. */
  failed(failure: Failure): void
}

export function pipeline({ log, initial, failed }: PipelineOptions): Pipeline {
  const pending = channel<PendingRecord>()
  const published = publisher()
  const retry$ = new Subject<void>()
  const state = stateKeeper(initial)
  const waiters = writeWaiters()
  let failure: Failure | undefined

  const steps = stepQueue<PendingRecord>({
    handle: pending.next,
    ended: () => {
      pending.complete()
      published.close()
      state.close()
    },
  })
  const fail = (next: Failure): void => {
    const isNew = failure === undefined
    failure = next
    waiters.fail(next)
    if (!isNew) return
    failed(next)
    steps.put({ event: storageStatus(next) })
  }
  const watched = watchSyncs(log, fail)

  const publish = publishing({ state, published, waiters, written: () => (failure = undefined) })
  pending.value$.pipe(number(log.head), recordTo({ log: watched, retry$, failed: fail })).subscribe(publish)

  return {
    state$: state.state$,
    records$: published.records$,
    events$: published.events$,
    push: steps.put,
    write: (pending) => whenWritten(pending, waiters, steps),
    next: waiters.wait,
    recover: () => {
      if (failure === undefined) return
      steps.run(() => retry$.next())
      const again = failure as Failure | undefined // a record that was written meanwhile has taken it back
      if (again !== undefined) throw again
    },
    durable: watched.durable,
    handled: () => whenHandled(steps),
    close: steps.close,
  }
}

interface Told {
  readonly state: StateKeeper
  readonly published: Publisher
  readonly waiters: WriteWaiters
  /** A line could be written. */
  written(): void
}

function publishing({ state, published, waiters, written }: Told): (record: NumberedRecord) => void {
  return (record) => {
    try {
      if (record.seq !== undefined) written()
      state.fold(record)
      published.tell(record)
      state.tell()
      if (record.seq !== undefined) waiters.tell(record, record.pending)
    } catch (thrown) {
      reportUnhandled(thrown) // a subscriber's fault: what follows is recorded nevertheless
    }
  }
}

/** For one reader, who is there before the first value: a Subject in its place costs 0.05 µs a delta more. */
function channel<Value>() {
  let reader: Subscriber<Value> | undefined
  return {
    value$: new Observable<Value>((subscriber) => {
      reader = subscriber
    }),
    next: (value: Value): void => reader?.next(value),
    complete: (): void => reader?.complete(),
  }
}

function whenWritten(pending: PendingRecord, waiters: WriteWaiters, steps: StepQueue<PendingRecord>): Observable<void> {
  return new Observable((subscriber) => {
    const subscription = waiters.wait((_record, written) => written === pending).subscribe(subscriber)
    steps.put(pending)
    return subscription
  })
}

function whenHandled(steps: StepQueue<PendingRecord>): Observable<never> {
  return new Observable((subscriber) => {
    steps.run(() => {
      subscriber.complete()
    })
  })
}

function storageStatus(failure: Failure): AgentEvent {
  return { type: 'status', code: 'storage', message: failure.message, recoverable: true }
}

// A sync that fails is heard of, also where no command waits for it.

type WatchedLog = Pick<SessionLog, 'append' | 'checkpoint' | 'sync' | 'durable' | 'blobs'>

/** The log as it is written to; `failed` is told of each sync that was asked for and failed, before who asked is. */
function watchSyncs(log: WatchedLog, failed: (failure: Failure) => void): WatchedLog {
  const durable$: WatchedLog['durable'] = () =>
    log.durable().pipe(
      tap({
        error: (error: unknown) => {
          failed(Failure.from(error, 'storage'))
        },
      }),
    )
  return {
    blobs: log.blobs,
    append: (body) => log.append(body),
    checkpoint: (body) => {
      log.checkpoint(body)
    },
    sync: () => {
      durable$().subscribe({ error: () => undefined }) // told above
    },
    durable: durable$,
  }
}

// A record and its event are told in one stretch, and whoever subscribes in between is told neither twice.

interface Publisher {
  /** Live; completes with `close`. */
  readonly records$: Observable<SessionRecord>
  /** The records' events, after `records$`. A broadcast of its own: a `map` would be paid by every subscriber. */
  readonly events$: Observable<AgentEvent>
  /** Tells both; not from within itself. */
  tell(record: SessionRecord): void
  close(): void
}

/** Keeps nothing for late subscribers. One who comes while a record is told is told the next one first, on either stream. */
export function publisher(): Publisher {
  const records = broadcast<SessionRecord>()
  const events = broadcast<AgentEvent>()
  const laterEvent$ = events.value$.pipe(skip(1))
  let isTellingRecord = false
  return {
    records$: records.value$,
    events$: new Observable((subscriber) => (isTellingRecord ? laterEvent$ : events.value$).subscribe(subscriber)),
    tell: (record) => {
      isTellingRecord = true
      records.next(record)
      isTellingRecord = false
      events.next(record.event)
    },
    close: () => {
      records.complete()
      events.complete()
    },
  }
}
