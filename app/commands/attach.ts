// `rxpi attach`: a session's events as they come, from wherever it runs; to look on changes nothing, and to leave neither.
import { EMPTY, catchError, concat, defer, finalize, ignoreElements, map, merge, mergeMap, take, tap } from 'rxjs'
import { throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../lib/server/client/reconnecting-client.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { attachText } from '../text/attach-text.ts'
import type { AttachInvocation } from '../cli/invocation.ts'
import { connectWithRetry } from '../connect/connect-with-retry.ts'
import { paceEvents } from './pace-events.ts'
import type { ProcessWorld } from '../process/world.ts'

/**
 * Emits the exit code, 0, when a signal detaches it. A connection that is lost is made again, and goes on where it was. Fails where
 * the session is not there, or the server stays away.
 */
export function attach(invocation: AttachInvocation, world: ProcessWorld): Observable<number> {
  return defer(() => {
    const { env, stdout, signals$ } = world
    const socket = socketPath({ env, asked: invocation.socket })
    const shown$ = connectWithRetry(socket, world).pipe(mergeMap((client) => shown(client, invocation, world)))
    const detached$ = merge(signals$, stdout.broken$).pipe(map(() => 0))
    return merge(shown$, detached$).pipe(take(1))
  })
}

function shown(
  client: ReconnectingClient,
  { session, json, from }: AttachInvocation,
  world: ProcessWorld,
): Observable<never> {
  const { stdout, env } = world
  const text = attachText(stdout)
  const shown$ = paceEvents({ client, stdout, session, from, deltas: !json }).pipe(
    tap((event) => {
      if (!json) text(event)
      else if (event.type === 'attached') stdout.json(JSON.stringify(event.header))
      else if (event.type === 'event' && event.line !== undefined) stdout.json(event.line)
    }),
    ignoreElements(),
  )
  return concat(opened(client, session, env), shown$).pipe(
    finalize(() => {
      client.close()
    }),
  )
}

/** One that is open nowhere is opened with this client's environment: whoever goes on with it later needs keys and PATH. */
function opened(client: ReconnectingClient, session: string, env: ProcessWorld['env']): Observable<never> {
  return client.request({ type: 'open_session', session, cwd: '/', env: { ...env } }).pipe(
    catchError((error: unknown) => {
      const failure = Failure.from(error)
      return failure.code === 'session_locked' ? EMPTY : throwError(() => failure) // it can be read all the same
    }),
    ignoreElements(),
  )
}
