// Serves the connections of a socket until the server has ended.
import { defer, ignoreElements, merge, mergeMap, of, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../streams/values/failure.ts'
import type { Server } from './create-server.ts'
import { listen } from './socket/listen.ts'
import type { ListenOptions, Listener } from './socket/listen.ts'
import { streamTransport } from './protocol/stream-transport.ts'

/**
 * UTF-16 units unsent above which a client's requests are not read. At most 1 MiB of them are events, the rest
 * responses.
 */
const readBelow = 4_194_304

/** `socket`, or `path`, which is its name of before. */
export type ServeOptions = Pick<ListenOptions, 'descriptor'> &
  (
    | {
        /**
         * The path of the socket; `socketPath({ env: process.env })` is where rxpi's own clients look. There is no
         * default.
         */
        readonly socket: string
        readonly path?: undefined
      }
    | { readonly path: string; readonly socket?: undefined }
  )

/**
 * Emits once, when it listens, and serves every client that connects. Completes when the server has ended (`close`, or
 * a client's `shutdown`), the socket gone; unsubscribing stops the listening alone. Fails as `listen` does, and with
 * `bad_request` without a socket.
 */
export function serve(server: Server, options: ServeOptions): Observable<Listener> {
  return defer(() => listen(listenOptions(options))).pipe(
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

/** Those of a program without types. */
interface UncheckedOptions extends Pick<ListenOptions, 'descriptor'> {
  readonly socket?: string | undefined
  readonly path?: string | undefined
}

/** A program without types can leave both out, or name two sockets. @throws Failure `bad_request` */
function listenOptions({ socket, path, descriptor }: UncheckedOptions): ListenOptions {
  if (socket !== undefined && path !== undefined)
    throw new Failure('bad_request', 'serve: socket and path are two names of one option; give socket alone')
  const named = socket ?? path
  if (named === undefined)
    throw new Failure('bad_request', "serve: name the socket, for example { socket: '/run/user/1000/my-agent.sock' }")
  return { path: named, descriptor }
}
