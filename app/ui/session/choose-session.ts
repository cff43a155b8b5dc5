// Which session the UI begins with: what is named or wanted; a run or a question that waits in this folder is offered first.
import { catchError, forkJoin, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import { openSessionChoice } from '../../commands/sessions/open-session-choice.ts'
import type { ProcessWorld } from '../../process/world.ts'

export type ListedSession = ResultOf<'list_sessions'>['sessions'][number]

export type ChosenSession =
  /** `note`: why it is not what was asked for. */
  | { readonly opened: ResultOf<'open_session'>; readonly note?: string }
  /** Sessions of this folder with a run that is on, or a question that waits. */
  | { readonly offers: readonly ListedSession[] }

/** So many of the folder's sessions are looked at for a run or a question; for the latest, as many as a list can have. */
const looked = 50
const all = 10_000

/** Emits once and completes. Fails where the session cannot be opened. */
export function chooseSession(
  client: Pick<ReconnectingClient, 'request'>,
  choice: SessionChoice,
  env: ProcessWorld['env'],
): Observable<ChosenSession> {
  const opened$ = (from: SessionChoice['from'], note?: string): Observable<ChosenSession> =>
    openSessionChoice({ ...choice, from }, { client, env }).pipe(
      map((result) => ({ opened: result, ...(note === undefined ? {} : { note }) })),
    )
  if (choice.from === 'unstored' || typeof choice.from === 'object') return opened$(choice.from)
  const limit = choice.from === 'latest' ? all : looked
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
      // begun and left without a word, and nobody else can have it open: there need not be another one
      return opened$({ session: last.id }).pipe(catchError((error: unknown) => recovered(error, opened$('new'))))
    }),
  )
}

/** The one that was gone on with or switched to last; where nothing was said in it, the first of the list in which something was. */
function latestOf(sessions: readonly ListedSession[]): ListedSession | undefined {
  return sessions.find((session) => session.isLatest && hasContent(session)) ?? sessions.find(hasContent)
}

function hasContent({ messages, live }: ListedSession): boolean {
  return messages !== 0 || live?.running === true
}

/** It is to be opened with something of its own. */
function isSpecial({ model, thinkingLevel, tools, system }: SessionChoice): boolean {
  return [model, thinkingLevel, tools, system].some((value) => value !== undefined)
}

/** One that cannot be opened is left alone. */
function recovered(error: unknown, otherwise: Observable<ChosenSession>): Observable<ChosenSession> {
  const failure = Failure.from(error)
  return failure.code === 'disconnected' ? throwError(() => failure) : otherwise
}
