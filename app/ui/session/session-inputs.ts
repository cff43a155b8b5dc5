// A session is shown from what it is now and how its conversation ends; what happens after that comes as events.
import { EMPTY, catchError, concat, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { OpenedInput, ViewInput } from '../view/view-input.ts'

/** Entries of the conversation that are shown again when it is gone on with, and when it goes on from another entry. */
const shownAgain = 60
const shownOfBranch = 4

/** Milliseconds over which the server joins pieces: what is drawn comes no more often. */
const joinMs = 45

/**
 * The input that shows it, then its events, from the very next one, through any number of connections. Fails where the server
 * refuses the session or the connection is given up; unsubscribing detaches.
 */
export function sessionInputs(client: ReconnectingClient, opened: OpenedInput['opened']): Observable<ViewInput> {
  const { session } = opened
  const events$ = (after: number): Observable<ViewInput> =>
    client.events$(session, { after, joinMs }).pipe(
      mergeMap((received) => {
        if (received.type !== 'event' || received.event.type !== 'head_moved') return of(received)
        return concat(of(received), branchInput(client, session, received.event.entryId))
      }),
    )
  return client.request({ type: 'get_state', session }).pipe(
    mergeMap((status) =>
      history(client, status).pipe(
        mergeMap(({ entries, more }) => {
          const input: OpenedInput = { type: 'opened', opened, status, entries, hasEarlier: more }
          return concat(of(input), events$(status.seq))
        }),
      ),
    ),
  )
}

type History = Pick<ResultOf<'get_entries'>, 'entries' | 'more'>

/** What leads to the head that `status` names; it may have moved since. */
function history(client: ReconnectingClient, { header, headEntryId, seq }: ResultOf<'get_state'>): Observable<History> {
  if (headEntryId === null) return of({ entries: [], more: false })
  return client
    .request({ type: 'get_entries', session: header.id, branch: headEntryId, before: seq + 1, limit: shownAgain })
    .pipe(map(({ entries, more }) => ({ entries, more })))
}

/** That it goes on elsewhere was said; where what it ends with cannot be read, that is all. */
function branchInput(client: ReconnectingClient, session: string, branch: string | null): Observable<ViewInput> {
  if (branch === null) return EMPTY
  return client
    .request({ type: 'get_entries', session, branch, before: Number.MAX_SAFE_INTEGER, limit: shownOfBranch })
    .pipe(
      map(({ entries }): ViewInput => ({ type: 'branch', entries })),
      catchError(() => EMPTY),
    )
}
