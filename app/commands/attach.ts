// Runs `rxpi attach`: prints the events of a session live, whichever process runs it.
import {
  EMPTY,
  catchError,
  concat,
  defer,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  take,
  tap,
  throwError,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { createAttachPrinter } from '../text/attach-text.ts'
import type { AttachInvocation } from '../cli/server-invocation.ts'
import { connectWithRetry } from '../connect/connect-with-retry.ts'
import { paceEvents } from './pace-events.ts'
import type { ProcessWorld } from '../process/world.ts'

/**
 * Emits exit code 0 when a signal detaches it. Reconnects after a lost connection and continues after the last event.
 * Fails if the session does not exist or the server does not come back.
 */
export function attach(invocation: AttachInvocation, world: ProcessWorld): Observable<number> {
  return defer(() => {
    const { env, stdout, signals$ } = world
    const socket = socketPath({ env, requested: invocation.socket })
    const shown$ = connectWithRetry(socket, world).pipe(mergeMap((client) => printSession(client, invocation, world)))
    const detached$ = merge(signals$, stdout.broken$).pipe(map(() => 0))
    return merge(shown$, detached$).pipe(take(1))
  })
}

function printSession(
  client: ReconnectingClient,
  { session, json, from }: AttachInvocation,
  world: ProcessWorld,
): Observable<never> {
  const { stdout, env } = world
  const text = createAttachPrinter(stdout)
  const shown$ = paceEvents({ client, stdout, session, from, deltas: !json }).pipe(
    tap((event) => {
      if (!json) text(event)
      else if (event.type === 'attached') stdout.json(JSON.stringify(event.header))
      else if (event.type === 'event' && event.line !== undefined) stdout.json(event.line)
    }),
    ignoreElements(),
  )
  return concat(openClosedSession(client, session, env), shown$).pipe(
    finalize(() => {
      client.close()
    }),
  )
}

/** Opens a closed session with the environment of this client: a later prompt needs its keys and PATH. */
function openClosedSession(client: ReconnectingClient, session: string, env: ProcessWorld['env']): Observable<never> {
  return client.request({ type: 'open_session', session, cwd: '/', env: { ...env } }).pipe(
    catchError((error: unknown) => {
      const failure = Failure.from(error)
      return failure.code === 'session_locked' ? EMPTY : throwError(() => failure) // reading works without the lock
    }),
    ignoreElements(),
  )
}
