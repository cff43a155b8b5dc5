// Runs a change of a session in this process, and again at the server that holds the session's lock.
import { catchError, defer, from, map, mergeMap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { World } from '../../process/world.ts'

/**
 * Emits the exit code of `work`. If it fails with `session_locked`, runs it again with a client of the lock holder.
 * Fails with `session_locked` if the holder cannot be reached.
 */
export function retryOnLockHolder(world: World, work: (world: World) => Observable<number>): Observable<number> {
  return work(world).pipe(
    catchError((error: unknown) => {
      const locked = Failure.from(error)
      if (locked.code !== 'session_locked') return throwError(() => locked)
      return defer(() => from(import('../../connect/reach-lock-holder.ts'))).pipe(
        mergeMap(({ reachLockHolder }) =>
          reachLockHolder(locked, { env: world.env }, (client) => work({ ...world, client })),
        ),
        map(({ result, client }) => {
          client.close()
          return result
        }),
      )
    }),
  )
}
