// Appends session events: assigns `seq`, writes the log line, updates state and publishes.
//
// Guarantees: with a log that appends synchronously, all of that happens in the call of `publish` (AGENTS.md, law 3).
// With another log, the next event waits until the log has answered.
import { NEVER, Observable, Subject, skip, tap } from 'rxjs'
import { reportUnhandled } from '../../operators/core/report-unhandled.ts'
import { createRecordAppender } from '../../operators/record/record-appender.ts'
import type { AppendedRecord } from '../../operators/record/record-appender.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { PendingRecord, SessionRecord } from '../../streams/log/log-line.ts'
import type { LogWriter } from '../../streams/ports/session-log.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import { pendingAcks } from './pending-acks.ts'
import type { PendingAcks } from './pending-acks.ts'
import { createProjection } from './projection.ts'
import { retryWrites } from './retry-writes.ts'
import { serialExecutor } from './serial-executor.ts'
import type { SerialExecutor } from './serial-executor.ts'

/** The session's events, in and out. */
export interface SessionBus {
  /** Records an event: in this call, or after the one that is being recorded. */
  publish(pending: PendingRecord): void
  /** Live records; completes when the pipeline is closed. */
  readonly records$: Observable<SessionRecord>
}

export interface Pipeline extends SessionBus {
  readonly state$: Behavior<SessionState>
  /** The events of `records$`. */
  readonly events$: Observable<AgentEvent>
  /** Publishes, and emits once when the event is written and folded; fails if it cannot be written. */
  write(pending: PendingRecord): Observable<void>
  /** Emits once when the next event that `matches` is written and folded; fails if a write fails before. */
  next(matches: (record: SessionRecord) => boolean): Observable<void>
  /** Emits each time the log stops taking lines, before the `status` event that reports it. */
  readonly writeError$: Observable<Failure>
  /**
   * Retries the failed writes, unless an event is being recorded just now.
   * @throws Failure `storage` if they still fail
   */
  recover(): void
  /** As `LogWriter.durable`; a failed sync counts as a failed write. */
  durable(): Observable<void>
  /** Completes when everything that was published before is recorded, or waits for a log that failed. */
  handled(): Observable<never>
  close(): void
}

export interface PipelineOptions {
  readonly log: LogWriter
  /** The last `seq` of the log. */
  readonly head: number
  readonly initial: SessionState
  /**
   * When to retry failed writes; subscribed to while they fail. Default: only `recover` and further events retry them.
   */
  readonly writeRetry$?: Observable<unknown>
}

export function createPipeline({ log, head, initial, writeRetry$ = NEVER }: PipelineOptions): Pipeline {
  const projection = createProjection(initial)
  const publisher = createPublisher()
  const acks = pendingAcks()
  const errors = trackWriteErrors(acks, (failure) => publish({ event: storageStatus(failure, log) }))
  const onAppended = (record: AppendedRecord): void => {
    const isDurable = record.seq !== undefined
    if (isDurable) errors.clear()
    try {
      projection.fold(record)
      publisher.publish(record)
      projection.publish()
      if (isDurable) acks.resolve(record, record.pending)
    } catch (thrown) {
      reportUnhandled(thrown) // a subscriber's fault: the next event is recorded nevertheless
    }
  }
  const writer = watchSyncs(log, errors.add)
  const appender = createRecordAppender({ log: writer, head, onAppended, onWriteError: errors.add })
  const executor = serialExecutor(() => {
    retrying.unsubscribe()
    for (const part of [appender, publisher, projection, errors]) part.close()
  })
  const publish = (pending: PendingRecord): void => executor.run(() => appender.append(pending))
  const retrying = retryWrites({
    writeError$: errors.writeError$,
    tick$: writeRetry$,
    isFailing: () => errors.current() !== undefined && log.readOnly === undefined,
    retry: () => executor.run(appender.retry),
  }).subscribe()

  return {
    state$: projection.state$,
    records$: publisher.records$,
    events$: publisher.events$,
    writeError$: errors.writeError$,
    publish,
    write: (pending) => publishAndWait(pending, { acks, publish }),
    next: acks.wait,
    recover: () => {
      executor.run(appender.retry)
      const remaining = errors.current() // a retry that succeeds clears it
      if (remaining !== undefined) throw remaining
    },
    durable: writer.durable,
    handled: () => completeBehind(executor),
    close: executor.close,
  }
}

function publishAndWait(
  pending: PendingRecord,
  { acks, publish }: Pick<SessionBus, 'publish'> & { readonly acks: PendingAcks },
): Observable<void> {
  return new Observable((subscriber) => {
    const subscription = acks.wait((_record, written) => written === pending).subscribe(subscriber)
    publish(pending)
    return subscription
  })
}

interface WriteErrors {
  readonly writeError$: Observable<Failure>
  /** The failure of the last write; undefined since a write succeeded. */
  current(): Failure | undefined
  add(failure: Failure): void
  clear(): void
  close(): void
}

/** Rejects the pending acks at each failed write; reports the first failure of a row. */
function trackWriteErrors(acks: Pick<PendingAcks, 'reject'>, onFirst: (failure: Failure) => void): WriteErrors {
  const writeError$ = new Subject<Failure>()
  let current: Failure | undefined
  return {
    writeError$: writeError$.asObservable(),
    current: () => current,
    add: (failure) => {
      const isFirst = current === undefined
      current = failure
      acks.reject(failure)
      if (!isFirst) return
      writeError$.next(failure)
      onFirst(failure)
    },
    clear: () => {
      current = undefined
    },
    close: () => writeError$.complete(),
  }
}

/** Completes when the executor has run the steps that wait now. */
function completeBehind(executor: Pick<SerialExecutor, 'run'>): Observable<never> {
  return new Observable((subscriber) => {
    executor.run(() => {
      subscriber.complete()
      return undefined
    })
  })
}

/** Recoverable if a later write can succeed: not if the log takes no lines any more. */
function storageStatus({ message }: Failure, { readOnly }: Pick<LogWriter, 'readOnly'>): AgentEvent {
  return { type: 'status', code: 'storage', message, recoverable: readOnly === undefined }
}

/** The log; each sync that fails is reported, also if no command waits for it. */
function watchSyncs(log: LogWriter, onSyncError: (failure: Failure) => void): LogWriter {
  const durable$: LogWriter['durable'] = () =>
    log.durable().pipe(
      tap({
        error: (error: unknown) => {
          const failure = Failure.from(error, 'storage')
          // without a descriptor for a folder the lines are written, and the next sync covers them
          if (failure.code !== 'overloaded') onSyncError(failure)
        },
      }),
    )
  return {
    blobs: log.blobs,
    get readOnly() {
      return log.readOnly
    },
    append: (body) => log.append(body),
    checkpoint: (body) => {
      log.checkpoint(body)
    },
    sync: () => {
      durable$().subscribe({ error: () => undefined }) // onSyncError has it
    },
    durable: durable$,
  }
}

interface Publisher {
  /** Live; completes with `close`. */
  readonly records$: Observable<SessionRecord>
  /** The events of the records, each after its record. */
  readonly events$: Observable<AgentEvent>
  /** Emits on both. Not from within itself. */
  publish(record: SessionRecord): void
  close(): void
}

/** Buffers nothing. A subscriber that comes while a record is published gets the next one first, on either stream. */
export function createPublisher(): Publisher {
  const records = new Subject<SessionRecord>()
  const events$ = new Subject<AgentEvent>()
  const nextEvents$ = events$.pipe(skip(1))
  let isEmittingRecord = false
  return {
    records$: records.asObservable(),
    events$: new Observable((subscriber) => (isEmittingRecord ? nextEvents$ : events$).subscribe(subscriber)),
    publish: (record) => {
      isEmittingRecord = true
      records.next(record)
      isEmittingRecord = false
      events$.next(record.event)
    },
    close: () => {
      records.complete()
      events$.complete()
    },
  }
}
