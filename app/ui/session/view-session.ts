// A session is shown from what it is now and how its conversation ends; what happens after that comes as events.
import { concat, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/reconnecting-client.ts'
import type { ResultOf } from '../../../lib/streams/command.ts'
import type { OpenedInput, ViewInput } from '../view/view-input.ts'

/** Entries of the conversation that are shown again when it is gone on with. */
const shownAgain = 60

/**
 * The input that shows it, then its events, from the very next one, through any number of connections. Fails where the server
 * refuses the session or the connection is given up; unsubscribing detaches.
 */
export function viewSession(client: ReconnectingClient, opened: OpenedInput['opened']): Observable<ViewInput> {
  return client.request({ type: 'get_state', session: opened.session }).pipe(
    mergeMap((status) =>
      history(client, status).pipe(
        mergeMap(({ entries, more }) => {
          const input: OpenedInput = { type: 'opened', opened, status, entries, hasEarlier: more }
          return concat(of(input), client.events$(opened.session, { after: status.seq, joinMs: 16 }))
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
