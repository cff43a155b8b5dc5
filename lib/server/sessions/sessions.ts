// The open sessions of one server: each is opened once, whoever asks, and none is left open when the server has closed.
import { catchError, concat, defaultIfEmpty, defer, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ServerBackend } from '../../services/contract/server-backend.ts'
import type { SessionCommand, SessionCommandType } from '../../session/contract/session.ts'
import { closedChanges, isClosedChange, isCopy } from './closed-changes.ts'
import type { ClosedChanges } from './closed-changes.ts'
import { createOnce } from './idempotent-create.ts'
import type { NewSession } from './idempotent-create.ts'
import { openings } from './session-lifecycle.ts'
import type { BeginOptions, Openings } from './session-lifecycle.ts'
import { restingSessions } from './idle-eviction.ts'
import type { OpenSetup, RestingSessions } from './idle-eviction.ts'
import type { ServedSession } from '../feed/served-session.ts'
import { sessionCalls } from '../protocol/bounded-calls.ts'
import type { SessionCalls } from '../protocol/bounded-calls.ts'
import { sessionStatus } from '../../services/stored/build-session-status.ts'
import { modelName } from '../../streams/models/model.ts'

/** Unanswered commands of one session, over all clients. */
export const unansweredLimit = 1_000

export type OpenCommand = Omit<CommandNamed<'open_session'>, 'type'>

export interface Sessions {
  /** Opens a new one; an `opId` that was given before is answered with the session it made then. */
  create(command: CommandNamed<'new_session'>, opId: string | undefined): Observable<ServedSession>
  /** A session by id, opened where it is not, or without one the latest of the folder. Open ones are joined as they are. */
  open(command: OpenCommand): Observable<ServedSession>
  /** A session that is open here, opened again where it rests; fails with `unknown_session` for another one. */
  opened(session: string): Observable<ServedSession>
  /** What a session is now; of one that is not open, what its log says. */
  status(session: string): Observable<ResultOf<'get_state'>>
  /** Plays a recorded session as one of its own. */
  replay(command: Omit<CommandNamed<'replay_session'>, 'type'>): Observable<ServedSession>
  /** Hands a command to its session, which must be open or opening: those that come meanwhile wait, in order. */
  send<Name extends SessionCommandType>(
    command: CommandNamed<Name>,
    opId: string | undefined,
  ): Observable<ResultOf<Name>>
  /** Those that are open now. */
  readonly served: ReadonlySet<ServedSession>
  /** Opens no more and closes all; completes when nothing is left behind, fails with the first failure after that. */
  close(): Observable<never>
}

export interface SessionsOptions {
  /** Milliseconds after which a session that nobody needs is closed; it is opened again when it is named. 0 and default: never. */
  readonly restAfterMs: number
}

export function createSessions(
  backend: ServerBackend,
  { restAfterMs }: SessionsOptions = { restAfterMs: 0 },
): Sessions {
  const opening = openings()
  const { byId } = opening
  const closed = closedChanges()
  const calls = sessionCalls(unansweredLimit)
  const resting = restingSessions({ ms: restAfterMs, opening, closed, calls })

  const opens = opener(backend, { opening, closed, resting })
  const make$ = (command: NewSession, opId?: string): Observable<ServedSession> => {
    const { store, title, endWithLastClient, ...setup } = command
    const begin = { endWithLastClient, ...watching(resting, setup, store !== false) }
    return opening.begin(() => backend.sessions.create(command, opId === undefined ? {} : { opId }), begin)
  }
  const once$ = createOnce({
    backend: backend.sessions,
    make: make$,
    again: (session, { store, title, ...setup }) => byId.get(session) ?? opens.byId(session, setup),
  })
  const openOrResting$ = (session: string): Observable<ServedSession> | undefined =>
    awake(session, byId, resting, opens)
  return {
    create: ({ type, ...command }, opId) => (opId === undefined ? make$(command) : once$(command, opId)),
    open({ session, ...setup }) {
      if (session !== undefined) return opens.byId(session, setup)
      return backend.sessions.latest(setup.cwd).pipe(
        defaultIfEmpty(undefined),
        mergeMap((id) => (id === undefined ? throwError(() => noLatest(setup.cwd)) : opens.byId(id, setup))),
      )
    },
    opened: (session) => openOrResting$(session) ?? throwError(() => notOpen(session)),
    status: (session) => byId.get(session)?.pipe(map(servedStatus)) ?? backend.stored.getState({ session }),
    replay: (command) => opening.begin(() => backend.sessions.replay(command)),
    send: sender({ backend, byId, closed, calls, awake: openOrResting$ }),
    get served() {
      return opening.served
    },
    close() {
      // what tools have started is waited for also where a log could not be closed
      const failed$ = (error: unknown) =>
        concat(
          backend.close(),
          throwError(() => Failure.from(error)),
        )
      return concat(closed.settled(), opening.close().pipe(catchError(failed$)), backend.close())
    },
  }
}

/** One that is kept in memory alone would be lost. */
function watching(resting: RestingSessions, setup: OpenSetup, isKept: boolean): Pick<BeginOptions, 'watch'> {
  return isKept ? { watch: (served) => resting.watch(served, setup) } : {}
}

interface Opener {
  /** Opens a session where it is not open; open ones are joined. */
  byId(session: string, setup: OpenSetup): Observable<ServedSession>
}

interface OpenerParts {
  readonly opening: Openings
  readonly closed: ClosedChanges
  readonly resting: RestingSessions
}

function opener(backend: ServerBackend, { opening, closed, resting }: OpenerParts): Opener {
  const { byId } = opening
  function openById(session: string, setup: OpenSetup): Observable<ServedSession> {
    const known$ = byId.get(session)
    if (known$ === undefined) return openAnew(session, resting.wake(session, setup))
    // those who follow the outdated one go on following what is written here from now on
    return known$.pipe(
      mergeMap((served) => (served.isOutdated() ? openAnew(session, setup) : of(joined(served, setup)))),
    )
  }

  function openAnew(session: string, setup: OpenSetup): Observable<ServedSession> {
    const { endWithLastClient } = setup
    return opening.begin(
      () =>
        concat(
          closed.settled(session),
          defer(() => backend.sessions.open({ session, ...setup })),
        ),
      {
        endWithLastClient,
        found: (served$) => byId.set(session, served$),
        failed: () => byId.delete(session),
        ...watching(resting, setup, true),
      },
    )
  }
  return { byId: openById }
}

/** One that rests is opened again by whoever commands it; nothing where it was not open here. */
function awake(
  session: string,
  byId: Openings['byId'],
  resting: RestingSessions,
  opens: Opener,
): Observable<ServedSession> | undefined {
  return byId.get(session) ?? (resting.has(session) ? opens.byId(session, { cwd: '/' }) : undefined)
}

interface SenderParts {
  readonly backend: ServerBackend
  readonly byId: Openings['byId']
  readonly closed: ClosedChanges
  readonly calls: SessionCalls
  awake(session: string): Observable<ServedSession> | undefined
}

/** Hands each command to its session, or to the backend if no session has to be open for it. */
function sender({ backend, byId, closed, calls, awake }: SenderParts): Sessions['send'] {
  return <Name extends SessionCommandType>({ session, ...rest }: CommandNamed<Name>, opId: string | undefined) => {
    const origin = opId === undefined ? {} : { opId }
    const whole = { session, ...rest } as CommandNamed<Name>
    // a copy of a branch only reads the session, open or not
    if (isCopy(whole) || (!byId.has(session) && isClosedChange(whole))) {
      const changed$ = closed.change(session, () => backend.stored.changeClosed(whole, origin))
      return calls.bound(session, changed$ as Observable<ResultOf<Name>>) // of the same name
    }
    const served$ = awake(session)
    if (served$ === undefined) return throwError(() => notOpen(session))
    // a session's command is the wire's without `session`; the compiler cannot follow that through the type parameter
    const command = rest as unknown as Extract<SessionCommand, { type: Name }>
    return calls.bound(session, served$.pipe(mergeMap((served) => served.session.send<Name>(command, origin))))
  }
}

/** An open session keeps its model and tools; who asked for others is told. */
function joined(served: ServedSession, asked: Omit<OpenCommand, 'session'>): ServedSession {
  const names = (['model', 'thinkingLevel', 'tools', 'system', 'endWithLastClient'] as const).filter(
    (name) => asked[name] !== undefined,
  )
  if (names.length === 0) return served
  const message = `The session is open already: ${names.join(', ')} stays as it was`
  const notices = [...served.opened.notices, { code: 'already_open', message }]
  return { ...served, opened: { ...served.opened, notices } }
}

function noLatest(cwd: string): Failure {
  return new Failure('unknown_session', `There is no session to continue in ${cwd}; start a new one there`)
}

function notOpen(session: string): Failure {
  return new Failure('unknown_session', `Session ${session} is not open here; open it with open_session or attach`)
}

// What an open session is now, as `get_state` answers it.

function servedStatus({ session, header, opened: { readOnly } }: ServedSession): ResultOf<'get_state'> {
  const { model, thinkingLevel, activeTools, isVerified: verified } = session
  const chosen = { model: modelName(model), thinkingLevel, activeTools: activeTools.map(({ name }) => name) }
  return sessionStatus({
    header,
    state: session.state$.value,
    open: true,
    verified,
    // no request goes to one that is only watched: its log alone says what its requests went to
    ...(readOnly === undefined ? { chosen } : { readOnly }),
  })
}
