// Opens a session by its id, or joins the open one.
import { catchError, concat, defer, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { OpenedSession, ServerBackend } from '../../services/contract/server-backend.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { ClosedChanges } from './closed-changes.ts'
import type { IdleEviction, OpenSetup } from './idle-eviction.ts'
import type { BeginOptions, SessionLifecycle } from './session-lifecycle.ts'

/** Opens a session; an open one is joined. */
export type OpenById = (session: string, setup: OpenSetup) => Observable<ServedSession>

interface OpenerParts {
  readonly lifecycle: SessionLifecycle
  readonly closed: ClosedChanges
  readonly eviction: IdleEviction
}

/** Returns the opener of a server's sessions. */
export function createOpener(backend: ServerBackend, { lifecycle, closed, eviction }: OpenerParts): OpenById {
  const { byId } = lifecycle
  function openSession(session: string, setup: OpenSetup): Observable<ServedSession> {
    const known$ = byId.get(session)
    if (known$ === undefined) return openAnew(session, eviction.restore(session, setup))
    // clients that follow the outdated session then follow what is written here
    return known$.pipe(
      mergeMap((served) => (served.isOutdated() ? openAnew(session, setup) : of(joinOpen(served, setup)))),
    )
  }

  function openAnew(session: string, setup: OpenSetup): Observable<ServedSession> {
    const { endWithLastClient } = setup
    return lifecycle.begin(
      () =>
        concat(
          closed.settled(session),
          withDescriptors(() => backend.sessions.open({ session, ...setup }), eviction),
        ),
      {
        endWithLastClient,
        onBegin: (served$) => byId.set(session, served$),
        onFailure: () => byId.delete(session),
        ...watchIdle(eviction, setup, true),
      },
    )
  }
  return openSession
}

/** True for options of an opening: joining an open session does not change it. In the order of the notice. */
const isOfOpening = {
  model: true,
  thinkingLevel: true,
  tools: true,
  system: true,
  appendSystem: true,
  instructions: true,
  approve: true,
  sandbox: true,
  trust: true,
  extensions: true,
  mcpServers: true,
  endWithLastClient: true,
  cwd: false,
  env: false,
  leaving: false,
  requireModel: false,
  offerDemo: false,
} as const satisfies Readonly<Record<keyof OpenSetup, boolean>>

/** An open session stays as it is; a notice lists the options that had no effect. */
function joinOpen(served: ServedSession, requested: OpenSetup): ServedSession {
  const options = Object.entries(isOfOpening) as [keyof OpenSetup, boolean][] // the table has exactly these keys
  const names = options.flatMap(([name, isSet]) => (isSet && requested[name] !== undefined ? [name] : []))
  if (names.length === 0) return served
  const message = `The session is open already, so these options have no effect: ${names.join(', ')}`
  const notices = [...served.opened.notices, { code: 'already_open', message }]
  return { ...served, opened: { ...served.opened, notices } }
}

/** If no descriptor is left, evicts the idle sessions and tries once more. */
export function withDescriptors(
  open: () => Observable<OpenedSession>,
  { evictIdle }: Pick<IdleEviction, 'evictIdle'>,
): Observable<OpenedSession> {
  return defer(open).pipe(
    catchError((error: unknown) => {
      const isShort = error instanceof Failure && error.code === 'overloaded' && 'errno' in error.data
      return isShort ? concat(evictIdle(), defer(open)) : throwError(() => Failure.from(error))
    }),
  )
}

/** A session without a log is never evicted: it would be lost. */
export function watchIdle(eviction: IdleEviction, setup: OpenSetup, isStored: boolean): Pick<BeginOptions, 'watch'> {
  return isStored ? { watch: (served) => eviction.watch(served, setup) } : {}
}
