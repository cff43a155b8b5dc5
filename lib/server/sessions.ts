// The open sessions of one server: each is opened once, whoever asks, and none is left open when the server has closed.
import { concat, defaultIfEmpty, defer, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../streams/command.ts'
import { Failure } from '../streams/failure.ts'
import type { SessionHost } from '../session/session-host.ts'
import type { SessionCommand, SessionCommandType } from '../session/session.ts'
import { boundedCalls } from './bounded-calls.ts'
import type { BoundedCalls } from './bounded-calls.ts'
import { closedChanges, isClosedChange, isCopy } from './closed-changes.ts'
import type { ClosedChanges } from './closed-changes.ts'
import { madeOnce } from './made-once.ts'
import { openings } from './openings.ts'
import type { Openings } from './openings.ts'
import type { ServedSession } from './served-session.ts'
import { servedStatus } from './served-status.ts'

/** Unanswered commands of one session, over all clients. */
export const unansweredLimit = 1_000

export type OpenCommand = Omit<CommandNamed<'open_session'>, 'type'>

export interface Sessions {
  /** Opens a new one; an `opId` that was given before is answered with the session it made then. */
  create(command: CommandNamed<'new_session'>, opId: string | undefined): Observable<ServedSession>
  /** A session by id, opened where it is not, or without one the latest of the folder. Open ones are joined as they are. */
  open(command: OpenCommand): Observable<ServedSession>
  /** A session that is open here; fails with `unknown_session` for another one. */
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

export function createSessions(host: SessionHost): Sessions {
  const opening = openings()
  const { byId } = opening
  const closed = closedChanges()

  const opens = opener(host, opening, closed)
  const once$ = madeOnce({
    host,
    make: (command, opId) => {
      const { endWithLastClient } = command
      return opening.begin(() => host.newSession(command, { opId }), { endWithLastClient })
    },
    again: (session, { store, title, ...setup }) => byId.get(session) ?? opens.byId(session, setup),
  })
  return {
    create({ type, ...command }, opId) {
      const { endWithLastClient } = command
      if (opId === undefined) return opening.begin(() => host.newSession(command), { endWithLastClient })
      return once$(command, opId)
    },
    open({ session, ...setup }) {
      if (session !== undefined) return opens.byId(session, setup)
      return host.latestSession(setup.cwd).pipe(
        defaultIfEmpty(undefined),
        mergeMap((id) => (id === undefined ? throwError(() => noLatest(setup.cwd)) : opens.byId(id, setup))),
      )
    },
    opened: (session) => byId.get(session) ?? throwError(() => notOpen(session)),
    status: (session) => byId.get(session)?.pipe(map(servedStatus)) ?? host.getState({ session }),
    replay: (command) => opening.begin(() => host.replaySession(command)),
    send: sender(host, byId, closed),
    served: opening.served,
    close() {
      return concat(closed.settled(), opening.close(), host.close())
    },
  }
}

interface Opener {
  /** Opens a session where it is not open; open ones are joined. */
  byId(session: string, setup: Omit<OpenCommand, 'session'>): Observable<ServedSession>
}

function opener(host: SessionHost, opening: Openings, closed: ClosedChanges): Opener {
  const { byId } = opening
  function openById(session: string, setup: Omit<OpenCommand, 'session'>): Observable<ServedSession> {
    const known$ = byId.get(session)
    if (known$ === undefined) return openAnew(session, setup)
    // those who follow the outdated one go on following what is written here from now on
    return known$.pipe(
      mergeMap((served) => (served.isOutdated() ? openAnew(session, setup) : of(joined(served, setup)))),
    )
  }

  function openAnew(session: string, setup: Omit<OpenCommand, 'session'>): Observable<ServedSession> {
    const { endWithLastClient } = setup
    return opening.begin(
      () =>
        concat(
          closed.settled(session),
          defer(() => host.openSession({ session, ...setup })),
        ),
      {
        endWithLastClient,
        found: (served$) => byId.set(session, served$),
        failed: () => byId.delete(session),
      },
    )
  }
  return { byId: openById }
}

/** Hands each command to its session, or to the host where that is who can do it. */
function sender(host: SessionHost, byId: Openings['byId'], closed: ClosedChanges): Sessions['send'] {
  const callsOf = callsBySession()
  return <Name extends SessionCommandType>({ session, ...rest }: CommandNamed<Name>, opId: string | undefined) => {
    const origin = opId === undefined ? {} : { opId }
    const served$ = byId.get(session)
    const whole = { session, ...rest } as CommandNamed<Name>
    // a copy of a branch only reads the session, open or not
    if (isCopy(whole) || (served$ === undefined && isClosedChange(whole))) {
      const changed$ = closed.change(session, () => host.changeClosed(whole, origin))
      return callsOf(session).bound(changed$ as Observable<ResultOf<Name>>) // of the same name
    }
    if (served$ === undefined) return throwError(() => notOpen(session))
    // a session's command is the wire's without `session`; the compiler cannot follow that through the type parameter
    const command = rest as unknown as Extract<SessionCommand, { type: Name }>
    return callsOf(session).bound(served$.pipe(mergeMap((served) => served.session.send<Name>(command, origin))))
  }
}

/** One count for each session. */
function callsBySession(): (session: string) => BoundedCalls {
  const calls = new Map<string, BoundedCalls>()
  return (session) => {
    const known = calls.get(session) ?? boundedCalls(unansweredLimit, `Session ${session}`)
    calls.set(session, known)
    return known
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
