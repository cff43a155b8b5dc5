// Opens the session of a print run: at the server that holds it, else in this process.
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
  /** Client of the server that has the session; the caller closes it if the server is another process. */
  readonly client: Client
}

/**
 * Emits once and completes. If another process holds the session and listens (at the socket in its lock, else at
 * `--socket` or the default), that process opens it. Fails with `session_locked` if it cannot be reached.
 */
export function openOrFollow(
  { choice, socket }: Pick<PrintInvocation, 'choice' | 'socket'>,
  { client, env }: Pick<World, 'client' | 'env'>,
): Observable<SessionOnServer> {
  return openSessionChoice(choice, { client, env }, { requireModel: true }).pipe(
    map((opened) => ({ opened, client })),
    catchError((error: unknown) => {
      const locked = Failure.from(error)
      if (locked.code !== 'session_locked') return throwError(() => locked)
      return defer(() => from(import('../../connect/reach-lock-holder.ts'))).pipe(
        mergeMap(({ reachLockHolder }) =>
          reachLockHolder(locked, { env, requested: socket }, (holder) =>
            openSessionChoice(choice, { client: holder, env }, { requireModel: true }),
          ),
        ),
        map(({ result: opened, client: holder }) => ({ opened, client: holder })),
      )
    }),
  )
}
