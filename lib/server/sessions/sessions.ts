// Opens, joins and closes the sessions of one server, and sends commands to them.
// Guarantees: a session is open once at most; none is open after `shutDown`.
import { catchError, concat, defaultIfEmpty, map, mergeMap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import type { ServerBackend } from '../../services/contract/server-backend.ts'
import type { SessionCommand, SessionCommandType } from '../../session/contract/session.ts'
import { runAfterLeaveCheck } from './leave-check.ts'
import { closedChanges, isClosedChange, isCopy } from './closed-changes.ts'
import type { ClosedChanges } from './closed-changes.ts'
import { createOnce } from './idempotent-create.ts'
import type { NewSession } from './idempotent-create.ts'
import { sessionLifecycle } from './session-lifecycle.ts'
import type { SessionLifecycle } from './session-lifecycle.ts'
import { sessionCloser } from './close-session.ts'
import type { SessionCloser } from './close-session.ts'
import { servedStatus } from './served-status.ts'
import { idleEviction } from './idle-eviction.ts'
import { createOpener, watchIdle, withDescriptors } from './open-by-id.ts'
import type { OpenById } from './open-by-id.ts'
import type { ServedSession } from '../feed/served-session.ts'
import { sessionCalls } from '../protocol/bounded-calls.ts'
import type { SessionCalls } from '../protocol/bounded-calls.ts'

/** Limit of unanswered commands of one session, over all clients. */
export const unansweredLimit = 1_000

export type OpenCommand = Omit<CommandNamed<'open_session'>, 'type'>

export interface Sessions {
  /** Creates a session; a repeated `opId` gets the session that it created before. */
  create(command: CommandNamed<'new_session'>, opId: string | undefined): Observable<ServedSession>
  /** Opens the session with this id, or without one the latest of the folder. An open session is joined as it is. */
  open(command: OpenCommand): Observable<ServedSession>
  /** Emits a session that is open, or opens an evicted one again; fails with `unknown_session` for any other. */
  opened(session: string): Observable<ServedSession>
  /** Emits the state of a session, from its log if it is not open. */
  status(session: string): Observable<ResultOf<'get_state'>>
  /** Plays a recorded session as a separate session. */
  replay(command: Omit<CommandNamed<'replay_session'>, 'type'>): Observable<ServedSession>
  /** Sends a command to its session. While the session is being opened, commands wait in order. */
  send<Name extends SessionCommandType>(
    command: CommandNamed<Name>,
    opId?: string,
    client?: string,
  ): Observable<ResultOf<Name>>
  /** Closes a session that is idle; see `SessionCloser`. */
  readonly close: SessionCloser['close']
  /** Deletes a session; closes one first that is idle. */
  readonly remove: SessionCloser['remove']
  /** A person chose the present model of this session: it may become the last choice. */
  rememberModel(session: string): void
  /** The open sessions. */
  readonly served: ReadonlySet<ServedSession>
  /** Opens no more sessions and closes all; completes when all are closed, fails with the first failure after that. */
  shutDown(): Observable<never>
}

export interface SessionsOptions {
  /** Milliseconds after which an idle session is closed; the next command opens it again. 0 and default: never. */
  readonly restAfterMs: number
}

export function createSessions(
  backend: ServerBackend,
  { restAfterMs }: SessionsOptions = { restAfterMs: 0 },
): Sessions {
  const lifecycle = sessionLifecycle()
  const { byId } = lifecycle
  const closed = closedChanges()
  const calls = sessionCalls(unansweredLimit)
  const eviction = idleEviction({ ms: restAfterMs, lifecycle, closed, calls })

  const openById$ = createOpener(backend, { lifecycle, closed, eviction })
  const create$ = (command: NewSession, opId?: string): Observable<ServedSession> => {
    const { leaving, ...own } = command
    const { store, title, endWithLastClient, ...setup } = own
    const isStored = store !== false
    const begin = { endWithLastClient, isStored, ...watchIdle(eviction, setup, isStored) }
    const begin$ = (): Observable<ServedSession> =>
      lifecycle.begin(
        () => withDescriptors(() => backend.sessions.create(own, opId === undefined ? {} : { opId }), eviction),
        begin,
      )
    return runAfterLeaveCheck(byId, leaving, { type: 'switch', to: 'new' }, begin$)
  }
  const createWithOpId$ = createOnce({
    backend: backend.sessions,
    create: create$,
    reopen: (session, { store, title, leaving, ...setup }) => byId.get(session) ?? openById$(session, setup),
  })
  const findOrReopen$ = (session: string): Observable<ServedSession> | undefined =>
    byId.get(session) ?? (eviction.has(session) ? openById$(session, { cwd: '/' }) : undefined)
  return {
    create: ({ type, ...command }, opId) => (opId === undefined ? create$(command) : createWithOpId$(command, opId)),
    open: openFrom(backend, byId, openById$),
    opened: (session) => findOrReopen$(session) ?? throwError(() => notOpen(session, byId.keys())),
    status: (session) => byId.get(session)?.pipe(map(servedStatus)) ?? backend.stored.getState({ session }),
    replay: (command) => lifecycle.begin(() => backend.sessions.replay(command), { isStored: false }),
    send: createSender({ backend, byId, closed, calls, findOrReopen: findOrReopen$ }),
    rememberModel: (session) => {
      for (const served of lifecycle.served) if (served.session.id === session) served.rememberModel()
    },
    get served() {
      return lifecycle.served
    },
    ...sessionCloser({ backend, lifecycle, closed, calls, eviction }),
    shutDown: () => concat(closed.settled(), closeAll(backend, lifecycle)),
  }
}

/** Waits for the processes of tools even if a log could not be closed. */
function closeAll(
  backend: Pick<ServerBackend, 'close'>,
  lifecycle: Pick<SessionLifecycle, 'close'>,
): Observable<never> {
  const closeAndFail$ = (error: unknown) =>
    concat(
      backend.close(),
      throwError(() => Failure.from(error)),
    )
  return concat(lifecycle.close().pipe(catchError(closeAndFail$)), backend.close())
}

/** Opens the session of the command, if the one that the client leaves lets it. */
function openFrom(backend: ServerBackend, byId: SessionLifecycle['byId'], openById: OpenById): Sessions['open'] {
  const open$ = (session: string, { leaving, ...setup }: Omit<OpenCommand, 'session'>): Observable<ServedSession> => {
    const from = leaving === session ? undefined : leaving
    return runAfterLeaveCheck(byId, from, { type: 'switch', to: 'open', session }, () => openById(session, setup))
  }
  return ({ session, ...command }) => {
    if (session !== undefined) return open$(session, command)
    return backend.sessions.latest(command.cwd).pipe(
      defaultIfEmpty(undefined),
      mergeMap((id) => (id === undefined ? throwError(() => noLatest(command.cwd)) : open$(id, command))),
    )
  }
}

interface SenderParts {
  readonly backend: ServerBackend
  readonly byId: SessionLifecycle['byId']
  readonly closed: ClosedChanges
  readonly calls: SessionCalls
  /** Returns an open session, or opens an evicted one again; undefined for any other. */
  findOrReopen(session: string): Observable<ServedSession> | undefined
}

/** Hands each command to its session, or to the backend if no session has to be open for it. */
function createSender({ backend, byId, closed, calls, findOrReopen }: SenderParts): Sessions['send'] {
  return <Name extends SessionCommandType>(
    { session, ...rest }: CommandNamed<Name>,
    opId?: string,
    client?: string,
  ) => {
    const origin = { ...(opId && { opId }), ...(client && { client }) } // neither is empty
    const sent = { session, ...rest } as CommandNamed<Name>
    if (isCopy(sent)) {
      const { entryId } = sent
      const step = { type: 'branch', entryId, copy: true, summarise: false, restoreFiles: false } as const
      const change$ = () => closed.change(session, () => backend.stored.changeClosed(sent, origin))
      // the backend answers with the result of the same command
      return calls.bound(session, runAfterLeaveCheck(byId, session, step, change$) as Observable<ResultOf<Name>>)
    }
    if (!byId.has(session) && isClosedChange(sent)) {
      const changed$ = closed.change(session, () => backend.stored.changeClosed(sent, origin))
      return calls.bound(session, changed$ as Observable<ResultOf<Name>>) // the backend answers with the result of the same command
    }
    const served$ = findOrReopen(session)
    if (served$ === undefined) return throwError(() => notOpen(session, byId.keys()))
    // a session's command is the wire's without `session`; the compiler cannot derive that for a type parameter
    const command = rest as unknown as Extract<SessionCommand, { type: Name }>
    return calls.bound(session, served$.pipe(mergeMap((served) => served.session.send<Name>(command, origin))))
  }
}

function noLatest(cwd: string): Failure {
  return new Failure('unknown_session', `There is no session to continue in ${cwd}; start a new one there`)
}

function notOpen(session: string, open: Iterable<string>): Failure {
  const near = didYouMean(session, [...open])
  const message = `Session ${session} is not open here; open it with open_session or attach${near}`
  return new Failure('unknown_session', message)
}
