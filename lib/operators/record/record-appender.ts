// Appends session records: assigns `seq`, writes the log line, then passes the record on.
//
// Guarantees: a durable record is passed on after its line is written, in the order of `seq`, without a hole. A
// transient record has no `seq` and no line. While the log fails, durable records wait, and transient ones but `status`
// are dropped.
import { EMPTY, asyncScheduler, catchError, mergeMap, take, throwIfEmpty } from 'rxjs'
import type { Observable } from 'rxjs'
import { isDurable } from '../../streams/events/event.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { lineBody, openBody } from '../../streams/log/line-event.ts'
import type { PendingRecord, SessionRecord } from '../../streams/log/log-line.ts'
import type { LogWriter } from '../../streams/ports/session-log.ts'
import { Failure } from '../../streams/values/failure.ts'
import { createCheckpointJoiner } from './checkpoint-joiner.ts'

/** A record together with the pending record that it was made of. */
export interface AppendedRecord extends SessionRecord {
  readonly pending: PendingRecord
}

/** Undefined if the call is done; else to be subscribed to: completes when it is. Never emits, never fails. */
export type Unfinished = Observable<never> | undefined

export interface RecordAppender {
  /** Appends in the call itself, unless the log's `append` returns an Observable. Not from within `onAppended`. */
  append(pending: PendingRecord): Unfinished
  /** Writes the records that wait. Each further durable record tries that too. */
  retry(): Unfinished
  /** Drops the records that wait, and the open checkpoint. */
  close(): void
}

export interface RecordAppenderOptions {
  readonly log: Omit<LogWriter, 'durable'>
  /** The last `seq` of the log. */
  readonly head: number
  /** Does not throw. */
  onAppended(record: AppendedRecord): void
  /** Called for each failed write; the record waits. */
  onWriteError(failure: Failure): void
}

/** A sync is started after these, not awaited. */
const syncedAfter = new Set<AgentEvent['type']>(['message_end', 'turn_end', 'agent_end'])

export function createRecordAppender({ log, head, onAppended, onWriteError }: RecordAppenderOptions): RecordAppender {
  const waiting: AppendedRecord[] = []
  let lastSeq = head

  const checkpoints = createCheckpointJoiner((event) =>
    attemptWrite(() => log.checkpoint(openBody({ at: asyncScheduler.now(), event })), onWriteError),
  )
  const onWritten = (record: AppendedRecord, line: string): void => {
    waiting.shift()
    if (record.event.type === 'message_end') checkpoints.discard()
    if (syncedAfter.has(record.event.type)) log.sync()
    onAppended({ ...record, line })
  }
  function writeWaiting(): Unfinished {
    for (let record = waiting[0]; record !== undefined; record = waiting[0]) {
      const line$ = attemptWrite(() => log.append(bodyOf(record, log)), onWriteError)
      if (line$ === undefined) return undefined
      if (typeof line$ !== 'string') return afterLine(record, line$)
      onWritten(record, line$)
    }
    return undefined
  }
  function afterLine(record: AppendedRecord, line$: Observable<string>): Observable<never> {
    return awaitLine(line$, onWriteError).pipe(
      mergeMap((line) => {
        onWritten(record, line)
        return writeWaiting() ?? EMPTY
      }),
    )
  }
  return {
    append: (pending) => {
      const { event, runId, opId } = pending
      const seq = isDurable(event) ? ++lastSeq : undefined
      const record = { pending, event, at: asyncScheduler.now(), seq, runId, opId, line: undefined }
      if (seq !== undefined) {
        waiting.push(record)
        return writeWaiting()
      }
      if (waiting.length > 0 && event.type !== 'status') return undefined
      if (event.type === 'message_update') checkpoints.add(event)
      onAppended(record)
      return undefined
    },
    retry: writeWaiting,
    close: () => {
      waiting.length = 0
      checkpoints.discard()
    },
  }
}

function bodyOf({ event, at, seq = 0, runId, opId }: AppendedRecord, { blobs }: RecordAppenderOptions['log']): string {
  return lineBody({ seq, at, event, runId, opId }, blobs)
}

/** The result of a write; undefined if it throws, after its failure was reported. */
function attemptWrite<Value>(write: () => Value, onWriteError: (failure: Failure) => void): Value | undefined {
  try {
    return write()
  } catch (error) {
    onWriteError(Failure.from(error, 'storage'))
    return undefined
  }
}

/** Emits the written line; completes empty if the log fails, after the failure was reported. */
function awaitLine(line$: Observable<string>, onWriteError: (failure: Failure) => void): Observable<string> {
  return line$.pipe(
    take(1),
    throwIfEmpty(() => new Failure('storage', 'The log completed without the written line')),
    catchError((error: unknown) => {
      onWriteError(Failure.from(error, 'storage'))
      return EMPTY
    }),
  )
}
