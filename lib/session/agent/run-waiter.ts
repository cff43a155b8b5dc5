// Collects the result of each run, and waits for it by the run's id; an unwritable end counts too.
/* eslint-disable rxjs-x/no-ignored-default-value -- `throwIfEmpty` fails before a default is needed */
import {
  ReplaySubject,
  Subject,
  defer,
  filter,
  finalize,
  firstValueFrom,
  map,
  merge,
  mergeMap,
  take,
  tap,
  throwError,
  throwIfEmpty,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { runResults } from '../../operators/events/run-results.ts'
import type { RunResult } from '../../operators/events/run-results.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Session } from '../contract/session.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** The result of a command that starts or queues. */
export interface Started {
  readonly status: 'started' | 'queued' | 'handled'
  readonly runId?: string | undefined
}

export interface RunWaiter {
  /**
   * Sends, and resolves when the run that it started, or the one that is on if it queued, has settled. Rejects if the
   * command is refused or was one of an extension, with Failure `storage` if the run's end cannot be written, and with `cancelled` if the session
   * is closed before.
   */
  resultOf(send: () => Observable<Started>): Promise<RunResult>
  /** Subscribes to the events of one run, and resolves when it has settled. Rejects with `cancelled` if another replaced it. */
  resultOfRun(run$: Observable<AgentEvent>): Promise<RunResult>
  /** Resolves when no run is on; rejects with Failure `storage` if the end of a run cannot be written. */
  idle(): Promise<void>
}

/** Follows a session from now on. */
export function runWaiter({ records$, state$ }: Pick<Session, 'records$' | 'state$'>): RunWaiter {
  const settled$ = new Subject<SettledRun>()
  settledRuns(records$).subscribe(settled$)
  const writeFailure$ = new Subject<Failure>()
  const writeFailed$ = writeFailure$.pipe(mergeMap((failure) => throwError(() => failure)))
  let writeFailure: Failure | undefined
  records$.subscribe({
    next: ({ event, seq }) => {
      if (seq !== undefined) writeFailure = undefined // the waiting lines are written
      if (event.type !== 'status' || event.code !== 'storage') return
      writeFailure = new Failure('storage', event.message)
      writeFailure$.next(writeFailure)
    },
    complete: () => {
      writeFailure$.complete()
    },
  })
  const pending = pendingResults()

  const result$ = (send: () => Observable<Started>): Observable<RunResult> =>
    defer(() => {
      const known$ = new ReplaySubject<SettledRun>(Infinity) // a run may settle before its command responds
      const following = settled$.subscribe(known$)
      return send().pipe(
        tap(checkStarted),
        mergeMap(({ status, runId }) =>
          merge(known$.pipe(filter((run) => status === 'queued' || run.runId === runId)), writeFailed$),
        ),
        take(1),
        map(({ result }) => result),
        throwIfEmpty(closedFailure),
        finalize(() => following.unsubscribe()),
      )
    })
  return {
    resultOf: (send) => pending.hold(result$(send)),
    resultOfRun: (run$) => pending.hold(run$.pipe(runResults(), throwIfEmpty(replacedFailure))),
    idle: async () => {
      while (pending.results.size > 0 || state$.value.running !== undefined) {
        if (pending.results.size > 0) await Promise.allSettled(pending.results)
        else if (writeFailure !== undefined) throw writeFailure
        else await firstValueFrom(merge(settled$, writeFailed$).pipe(take(1), throwIfEmpty(closedFailure)))
      }
    },
  }
}

/** The results that promises still wait for. */
function pendingResults() {
  const results = new Set<Promise<RunResult>>()
  return {
    results,
    hold: (one$: Observable<RunResult>): Promise<RunResult> => {
      const result = firstValueFrom(one$)
      results.add(result)
      void result.catch(() => undefined).finally(() => results.delete(result)) // the caller gets the rejection
      return result
    },
  }
}

/** @throws Failure `bad_request` if no run follows */
function checkStarted({ status }: Started): void {
  if (status !== 'handled') return
  throw new Failure('bad_request', 'The text was a command of an extension: it ran, and started no run')
}

function closedFailure(): Failure {
  return new Failure('cancelled', 'The session was closed before its run settled')
}

function replacedFailure(): Failure {
  return new Failure('cancelled', 'A newer prompt replaced this one before its run began')
}

/** A settled run. */
interface SettledRun {
  readonly runId: string | undefined
  readonly result: RunResult
}

/** Emits each run at its `agent_settled`. Completes and fails with its source; buffers the messages of the run that is on. */
function settledRuns(records$: Observable<SessionRecord>): Observable<SettledRun> {
  let runId: string | undefined
  return records$.pipe(
    tap((record) => {
      if (record.event.type === 'agent_settled') runId = record.runId
    }),
    map(({ event }) => event),
    runResults(),
    map((result) => ({ runId, result })),
  )
}
