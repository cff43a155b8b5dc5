// A session that a live server holds is gone on with there; everything else is opened in this process.
import { catchError, defer, from, map, mergeMap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Client } from '../../../lib/server/client/client.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { PrintInvocation } from '../../cli/invocation.ts'
import { openSessionChoice } from '../sessions/open-session-choice.ts'
import type { World } from '../../process/world.ts'

export interface SessionOnServer {
  readonly opened: ResultOf<'open_session'>
  /** Of the server that has it; one of another process is its subscriber's to close. */
  readonly client: Client
}

/**
 * Emits once and completes. Where another process holds the session that is chosen, and listens (at the socket that its lock
 * names, else at `--socket` or the usual one), the session is opened there. Fails with `session_locked` where that process
 * cannot be reached.
 */
export function openOrFollow(
  { choice, socket }: Pick<PrintInvocation, 'choice' | 'socket'>,
  { client, env }: Pick<World, 'client' | 'env'>,
): Observable<SessionOnServer> {
  return openSessionChoice(choice, { client, env }).pipe(
    map((opened) => ({ opened, client })),
    catchError((error: unknown) => {
      const locked = Failure.from(error)
      if (locked.code !== 'session_locked') return throwError(() => locked)
      return defer(() => from(import('../../connect/reach-lock-holder.ts'))).pipe(
        mergeMap(({ reachLockHolder }) =>
          reachLockHolder(locked, { env, asked: socket }, (holder) =>
            openSessionChoice(choice, { client: holder, env }),
          ),
        ),
        map(({ result: opened, client: holder }) => ({ opened, client: holder })),
      )
    }),
  )
}
