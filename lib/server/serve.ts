// A server at a socket: it listens until it has ended, and whoever asks it to end waits for its sessions to be closed.
import { ignoreElements, merge, mergeMap, of, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Server } from './create-server.ts'
import { listen } from './socket/listen.ts'
import type { ListenOptions, Listener } from './socket/listen.ts'
import { streamTransport } from './protocol/stream-transport.ts'

/** UTF-16 units unsent above which a client is not listened to: beyond what events may leave (1 MiB) it does not take its answers. */
const readBelow = 4_194_304

/**
 * Emits once, when it listens, and serves everyone who connects. Completes when the server has ended (`close`, or a client's
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
