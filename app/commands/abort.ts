// Runs `rxpi abort`: stops the active run of a session at the server and waits for its end.
import { defer, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import type { AbortInvocation } from '../cli/server-invocation.ts'
import { reachServer } from '../connect/reach-server.ts'
import type { ProcessWorld } from '../process/world.ts'

/** Time limit of the run's end in milliseconds; its tools have at most 5 s. */
const endTimeoutMs = 15_000

/** Emits exit code 0, also without an active run. Fails without a server, or if it does not know the session. */
export function abort({ session, socket }: AbortInvocation, { env, stdout }: ProcessWorld): Observable<number> {
  return defer(() =>
    reachServer(socketPath({ env, asked: socket }), (client) => stopRun(client, session)).pipe(
      map((wasRunning) => {
        stdout.text(
          wasRunning
            ? `Stopped the run of session ${session}\n`
            : `Session ${session} has no active run at this server\n`,
        )
        return 0
      }),
    ),
  )
}

/** Emits once: whether there was a run to stop. */
function stopRun(client: Client, session: string): Observable<boolean> {
  return client.request({ type: 'get_state', session }).pipe(
    mergeMap(({ running }) => {
      if (running === undefined) return of(false)
      return client.request({ type: 'abort', session }, { timeoutMs: endTimeoutMs }).pipe(map(() => true))
    }),
  )
}
