// Runs `rxpi abort`: stops the active run of a session and waits for its end.
import { catchError, defer, from, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { AbortInvocation } from '../cli/server-invocation.ts'
import { reachServer } from '../connect/reach-server.ts'
import type { World } from '../process/world.ts'

/** Time limit of the run's end in milliseconds; its tools have at most 5 s. */
const endTimeoutMs = 15_000

/**
 * Emits exit code 0, also without an active run. If another process has the session, stops the run there. Fails with
 * `session_locked` if that process is not a server, and without a server, or if no session has this id.
 */
export function abort({ session, socket }: AbortInvocation, { env, stdout, client }: World): Observable<number> {
  return defer(() =>
    reachServer(socketPath({ env, requested: socket }), (server) => stopRun(server, session)).pipe(
      catchError((error: unknown) => withoutServer(Failure.from(error), stopRun(client, session))),
      catchError((error: unknown) => stopAtHolder(Failure.from(error), session, env)),
      map((stopped) => {
        stdout.text(words[stopped](session))
        return 0
      }),
    ),
  )
}

type Stopped = 'run' | 'compaction' | 'nothing'

const words: Readonly<Record<Stopped, (session: string) => string>> = {
  run: (session) => `Stopped the run of session ${session}\n`,
  compaction: (session) => `Stopped the compaction of session ${session}; the conversation is as it was\n`,
  nothing: (session) => `Session ${session} has no active run at this server\n`,
}

/** Emits once: what there was to stop. Fails with `session_locked` if another process has the session. */
function stopRun(client: Client, session: string): Observable<Stopped> {
  return client.request({ type: 'get_state', session }).pipe(
    mergeMap(({ running, open, readOnly }) => {
      if (readOnly?.code === 'session_locked')
        return throwError(() => new Failure('session_locked', readOnly.message, { data: readOnly.data ?? {} }))
      const isRunning = running !== undefined
      if (!isRunning && !open) return of('nothing' as const)
      // also without a run: a compaction may be under way
      return client
        .request({ type: 'abort', session }, { timeoutMs: endTimeoutMs })
        .pipe(map(({ compaction }) => (isRunning ? 'run' : compaction === true ? 'compaction' : 'nothing')))
    }),
  )
}

/** Without a server at the socket, the lock of the session can name another process. */
function withoutServer(failure: Failure, found$: Observable<Stopped>): Observable<Stopped> {
  if (failure.code !== 'no_server') return throwError(() => failure)
  return found$.pipe(mergeMap(() => throwError(() => failure))) // no process has the session
}

function stopAtHolder(failure: Failure, session: string, env: World['env']): Observable<Stopped> {
  const { pid, socket } = failure.data
  if (failure.code !== 'session_locked') return throwError(() => failure)
  if (typeof pid === 'number' && socket === undefined) return throwError(() => privateRun(session, pid, failure))
  return defer(() => from(import('../connect/reach-lock-holder.ts'))).pipe(
    mergeMap(({ reachLockHolder }) => reachLockHolder(failure, { env }, (client) => stopRun(client, session))),
    map(({ result, client }) => {
      client.close()
      return result
    }),
  )
}

/** `rxpi -p` serves no socket; an interrupt ends its run in order. */
function privateRun(session: string, pid: number, { data }: Failure): Failure {
  const message = `Session ${session} is open in process ${pid}, which listens at no socket, like rxpi -p: press Ctrl-C in its terminal, or run kill -INT ${pid}`
  return new Failure('session_locked', message, { data })
}
