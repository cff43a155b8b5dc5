// Serves the connections of a socket until the server has ended.
import { ignoreElements, merge, mergeMap, of, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Server } from './create-server.ts'
import { listen } from './socket/listen.ts'
import type { ListenOptions, Listener } from './socket/listen.ts'
import { streamTransport } from './protocol/stream-transport.ts'

/** UTF-16 units unsent above which a client's requests are not read. At most 1 MiB of them are events, the rest responses. */
const readBelow = 4_194_304

/**
 * Emits once, when it listens, and serves every client that connects. Completes when the server has ended (`close`, or a client's
 * `shutdown`), the socket gone; unsubscribing stops the listening alone. Fails as `listen` does.
 */
export function serve(server: Server, options: ListenOptions): Observable<Listener> {
  return listen(options).pipe(
    mergeMap((listener) => {
      const connected$ = listener.connections$.pipe(
        tap((socket) => {
          server.connect(streamTransport(socket, { readBelow }))
        }),
        ignoreElements(),
      )
      return merge(connected$, of(listener))
    }),
    takeUntil(server.ended$),
  )
}
