// What changes a session is done by the server that holds it, where there is one; else in this process.
import { catchError, defer, from, map, mergeMap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { World } from '../../process/world.ts'

/**
 * The exit code of `work`. Where it fails with `session_locked`, before it has said anything, and the process that holds the
 * session listens, `work` is done once more by asking that server; fails with `session_locked` where it cannot be reached.
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
