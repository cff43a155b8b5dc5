// Runs a command with an embedded server and closes its sessions before the process ends.
import { EMPTY, asapScheduler, defer, map, merge, mergeMap, observeOn, race, take, tap, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { createEmbeddedServer, watchProcess } from '../../lib/server/machine-server.ts'
import { report } from '../process/progress.ts'
import { version } from '../process/version.ts'
import { runCli } from '../process/run-cli.ts'
import type { ProcessWorld, World } from '../process/world.ts'

export interface RunOptions {
  readonly watch?: { readonly timeoutMs?: number }
}

/** Milliseconds for closing: grace time of running tools and the last sync of the log. */
const closeLimit = 15_000

/**
 * Resolves with the exit code of `work`; if that is 0, with the code of closing or writing. Never rejects. With
 * `watch`, the guardian ends a process whose main thread is stuck, until the server is closed.
 */
export function runWithServer(work: (world: World) => Observable<number>, { watch }: RunOptions = {}): Promise<number> {
  return runCli(({ world, reportFailure }) => {
    const worked$ = defer(() => {
      const { client } = createEmbeddedServer({ env: world.env, version, coalesceReads: true })
      return work({ ...world, client }).pipe(
        reportFailure,
        take(1),
        observeOn(asapScheduler), // unsubscribes the work first: closing the connection under it would end it with a failure
        mergeMap((code) => closeServer(client, code, { ...world, reportFailure })),
      )
    })
    return merge(watch === undefined ? EMPTY : watchProcess(watch), worked$).pipe(take(1))
  })
}

interface Closing extends Pick<ProcessWorld, 'stderr'> {
  readonly reportFailure: MonoTypeOperatorFunction<number>
}

/** Emits the code when every session is closed: all writes are on disk, no tool runs. */
function closeServer(client: Client, code: number, { stderr, reportFailure }: Closing): Observable<number> {
  const shutdown$ = client.request({ type: 'shutdown' }).pipe(
    map(() => 0),
    reportFailure,
  )
  const late$ = timer(closeLimit).pipe(
    tap(() => {
      report(stderr, `the session could not be closed within ${closeLimit / 1_000} s`)
      process.exit(code || 1) // a resource keeps the process alive
    }),
  )
  return race(shutdown$, late$).pipe(
    take(1),
    map((closing) => code || closing),
    tap(() => {
      client.close()
    }),
  )
}
