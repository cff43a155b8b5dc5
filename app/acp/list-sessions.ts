// Lists stored sessions as ACP shows them.
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk'
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { Failure } from '../../lib/streams/values/failure.ts'

const pageLength = 50

/** A page of sessions, last event first; the cursor is the last session of the page before. Fails with `bad_request`. */
export function listSessions(
  client: Pick<ReconnectingClient, 'request'>,
  { cwd, cursor }: ListSessionsRequest,
): Observable<ListSessionsResponse> {
  const after = cursor ?? undefined
  if (after !== undefined && !/^[a-z2-7]{12}$/.test(after))
    throw new Failure('bad_request', `${JSON.stringify(after.slice(0, 80))} is no cursor of session/list`)
  const folder = cwd ?? undefined
  return client
    .request({
      type: 'list_sessions',
      ...{ limit: pageLength, includeEmpty: false },
      ...(folder === undefined ? { all: true } : { cwd: folder }),
      ...(after === undefined ? {} : { after }),
    })
    .pipe(
      map(({ sessions, more }) => ({
        sessions: sessions.flatMap(({ id, cwd: own, title, firstWords, updatedAt }) => {
          if (own === undefined) return []
          const shown = title ?? firstWords
          const updated = new Date(updatedAt).toISOString()
          return [{ sessionId: id, cwd: own, updatedAt: updated, ...(shown === undefined ? {} : { title: shown }) }]
        }),
        ...(more ? { nextCursor: sessions.at(-1)?.id ?? null } : {}),
      })),
    )
}
