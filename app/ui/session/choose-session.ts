// Chooses the first session of the UI: the named one, or offers active ones of this folder.
import { catchError, concat, forkJoin, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import { openSessionChoice } from '../../commands/sessions/open-session-choice.ts'
import { closeIdle } from './open-session.ts'
import type { ProcessWorld } from '../../process/world.ts'

export type ListedSession = ResultOf<'list_sessions'>['sessions'][number]

export type ChosenSession =
  /** `note`: why it differs from the request. */
  | { readonly opened: ResultOf<'open_session'>; readonly note?: string }
  /** Sessions of this folder with an active run or an open question. */
  | { readonly offers: readonly ListedSession[] }

/** Number of sessions checked for activity; for the latest, the maximum of a list. */
const activityLimit = 50
const listLimit = 10_000

/**
 * Emits once and completes. Fails if the session cannot be opened.
 * @param options `reopens`: a stored session that is open already is closed first, so that it sees a new answer about
 * trust
 */
export function chooseSession(
  client: Pick<ReconnectingClient, 'request'>,
  choice: SessionChoice,
  env: ProcessWorld['env'],
  { reopens = false }: { readonly reopens?: boolean } = {},
): Observable<ChosenSession> {
  const opened$ = (from: SessionChoice['from'], note?: string): Observable<ChosenSession> => {
    const open$ = openSessionChoice({ ...choice, from }, { client, env }, { offerDemo: true }).pipe(
      map((result) => ({ opened: result, ...(note === undefined ? {} : { note }) })),
    )
    return reopens && typeof from === 'object' ? concat(closeIdle(client, from.session), open$) : open$
  }
  if (choice.from === 'unstored' || typeof choice.from === 'object') return opened$(choice.from)
  const limit = choice.from === 'latest' ? listLimit : activityLimit
  const listed$ = client.request({ type: 'list_sessions', cwd: choice.cwd, limit })
  if (choice.from === 'latest') {
    return listed$.pipe(
      mergeMap(({ sessions }) => {
        const latest = latestOf(sessions)
        return latest === undefined
          ? opened$('new', 'There is no earlier session in this folder; this is a new one')
          : opened$({ session: latest.id })
      }),
    )
  }
  return forkJoin([listed$, client.request({ type: 'server_status' })]).pipe(
    mergeMap(([{ sessions }, { clients }]) => {
      const offers = sessions.filter(({ live }) => live !== undefined && (live.running || live.asking > 0))
      if (offers.length > 0) return of({ offers })
      const [last] = sessions
      if (clients > 1 || last === undefined || hasContent(last) || isSpecial(choice)) return opened$('new')
      // reuses a session without messages that no other client can have open
      return opened$({ session: last.id }).pipe(catchError((error: unknown) => fallBack(error, opened$('new'))))
    }),
  )
}

/** The session that was continued or switched to last; if it has no messages, the first that has. */
function latestOf(sessions: readonly ListedSession[]): ListedSession | undefined {
  return sessions.find((session) => session.isLatest && hasContent(session)) ?? sessions.find(hasContent)
}

function hasContent({ messages, live }: ListedSession): boolean {
  return messages !== 0 || live?.running === true
}

/** Each option is for a session of its own: one without messages has others. */
function isSpecial({ cwd: _cwd, from: _from, ...options }: SessionChoice): boolean {
  return Object.keys(options).length > 0
}

/** Falls back if the session cannot be opened. */
function fallBack(error: unknown, otherwise: Observable<ChosenSession>): Observable<ChosenSession> {
  const failure = Failure.from(error)
  return failure.code === 'disconnected' ? throwError(() => failure) : otherwise
}
