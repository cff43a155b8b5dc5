// Runs `rxpi stop`: asks the server to close its sessions and waits until it has ended.
import { catchError, defer, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { findUnlinkedServer } from '../../lib/server/socket/probe-server.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { StopInvocation } from '../cli/server-invocation.ts'
import { report } from '../process/progress.ts'
import { reachServer } from '../connect/reach-server.ts'
import type { ProcessWorld } from '../process/world.ts'

/** Time limit for closing sessions in milliseconds; their runs have at most 5 s. */
const closeTimeoutMs = 15_000

/** Emits the exit code, 0 also without a server. Fails if a live server cannot be reached. */
export function stop({ socket }: StopInvocation, { env, stdout, stderr }: ProcessWorld): Observable<number> {
  return defer(() => {
    const path = socketPath({ env, requested: socket })
    return reachServer(path, shutDown).pipe(
      map((pid) => {
        stdout.text(`Stopped process ${pid}, which listened at ${path}\n`)
        return 0
      }),
      catchError((error: unknown) => {
        const failure = Failure.from(error)
        if (failure.code === 'disconnected') return throwError(() => silentServer(path, failure))
        if (failure.code !== 'no_server') return throwError(() => failure)
        const hidden = findUnlinkedServer(path)
        if (hidden !== undefined) return throwError(() => hidden)
        report(stderr, failure.message.replace(/; .*/, ''))
        return of(0)
      }),
    )
  })
}

/** Emits the server's pid when it has closed every session. */
function shutDown(client: Client): Observable<number> {
  return client.hello$.pipe(
    mergeMap(({ server: { pid } }) =>
      client.request({ type: 'shutdown' }, { timeoutMs: closeTimeoutMs }).pipe(
        map(() => pid),
        catchError((error: unknown) => throwError(() => notStopped(pid, Failure.from(error)))),
      ),
    ),
  )
}

function silentServer(socket: string, { code, message, data }: Failure): Failure {
  return new Failure(code, `${message}; ${socket}.lock names its process; end it with kill`, { data })
}

/** A server that answers ends in any case; then the failure is that of a session. */
function notStopped(pid: number, { code, message, data }: Failure): Failure {
  const isSilent = code === 'timeout' || code === 'disconnected'
  const text = isSilent
    ? `Process ${pid} did not stop: ${message}; end it with kill ${pid}`
    : `Process ${pid} stopped, but could not close every session: ${message}`
  return new Failure(code, text, { data })
}
