// Builds a session from records of elsewhere: it publishes them and refuses every command.
import { EMPTY, NEVER, catchError, defer, ignoreElements, map, switchMap, take, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Model } from '../../streams/models/model.ts'
import { scope } from '../../streams/rx/scope.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { tailRecords } from './tail-records.ts'
import type { TailOptions } from './tail-records.ts'
import { addListener, sessionReaders } from '../../session/pipeline/session-readers.ts'
import type { Session } from '../../session/contract/session.ts'

export interface ReadOnlyParts extends Omit<TailOptions, 'life'> {
  /** Its records may be ahead of the published ones; closed with the session. */
  readonly log: Pick<SessionLog, 'header' | 'headerLine' | 'records' | 'close'>
  /** Returns the reason for which a command is refused. */
  refusal(): Failure
}

export interface ReadOnlySession {
  readonly session: Session
  /** Completes when the session is closed, by a client or after a minute without subscribers. */
  readonly over$: Observable<never>
}

/** Milliseconds without a subscriber after which the session closes itself. */
const unwatchedMs = 60_000

export function readOnlySession({ log, refusal, ...parts }: ReadOnlyParts): ReadOnlySession {
  const life = scope()
  const { records$, state$, watchers$ } = tailRecords({ ...parts, life })
  const closed$ = closeOnce(log, life)
  watchers$
    .pipe(
      switchMap((count) => (count > 0 ? NEVER : timer(unwatchedMs))),
      take(1),
      life.bind(),
      switchMap(() => closed$),
      catchError(() => EMPTY), // nothing is lost: the session writes nothing
    )
    .subscribe()
  const { header, headerLine } = log
  const events$ = records$.pipe(map(({ event }) => event))
  const session: Session = {
    id: header.id,
    header,
    headerLine,
    get model() {
      return modelOf(state$.value)
    },
    get thinkingLevel() {
      return state$.value.thinkingLevel ?? 'off'
    },
    activeTools: [],
    registeredTools: [],
    isVerified: true,
    state$,
    ...sessionReaders(log, { records$, events$, state$ }),
    send: () => throwError(() => refusal()),
    run: () => throwError(() => refusal()),
    ask: () => throwError(() => refusal()),
    answering$: NEVER,
    offer: () => {
      throw refusal()
    },
    listen: (listener) => addListener({ records$, publish: () => undefined }, listener),
    jobs: noJobs,
    stop: () => undefined,
    close: () => closed$,
  }
  return { session, over$: life.end$.pipe(ignoreElements()) }
}

/** Its jobs, if any, run in another process. */
const noJobs: Session['jobs'] = {
  list: () => [],
  output: (jobId) =>
    throwError(
      () => new Failure('bad_request', `There is no job ${jobId}: this session is read-only here and has no jobs`),
    ),
}

/** The model by its name in the log; no request goes to it. */
function modelOf({ model = 'unknown/unknown' }: SessionState): Model {
  const [, provider = 'unknown', id = model] = /^([^/]+)\/(.+)$/.exec(model) ?? []
  return { provider, id, api: 'unknown', inputs: ['text'], reasoning: false }
}

function closeOnce(log: ReadOnlyParts['log'], life: Scope): Observable<never> {
  return defer(() => {
    life.end()
    return log.close()
  }).pipe(shareOnce())
}
