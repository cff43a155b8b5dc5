// A command that embeds a server: whatever happens, its sessions are closed before the exit code is given.
import { asapScheduler, defer, map, mergeMap, observeOn, race, take, tap, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import { createEmbeddedServer } from '../../lib/server/machine-server.ts'
import { report } from '../process/progress.ts'
import { version } from '../process/version.ts'
import { runCli } from '../process/run-cli.ts'
import type { ProcessWorld, World } from '../process/world.ts'

/** Milliseconds for closing: what still runs has its grace time, the log its last sync. */
const closeLimit = 15_000

/** Resolves with the exit code of `work`, or where that is 0 and closing or writing failed, with theirs. Never rejects. */
export function runWithServer(work: (world: World) => Observable<number>): Promise<number> {
  return runCli(({ world, reportFailure }) =>
    defer(() => {
      const { client } = createEmbeddedServer({ env: world.env, version, coalesceReads: true })
      return work({ ...world, client }).pipe(
        reportFailure,
        take(1),
        observeOn(asapScheduler), // first what is on is let go of: closed under it, the connection would end it with a failure
        mergeMap((code) => closeServer(client, code, { ...world, reportFailure })),
      )
    }),
  )
}

interface Closing extends Pick<ProcessWorld, 'stderr'> {
  readonly reportFailure: MonoTypeOperatorFunction<number>
}

/** The code, when every session is closed: nothing written is lost, nothing started runs on. */
function closeServer(client: Client, code: number, { stderr, reportFailure }: Closing): Observable<number> {
  const shutdown$ = client.request({ type: 'shutdown' }).pipe(
    map(() => 0),
    reportFailure,
  )
  const late$ = timer(closeLimit).pipe(
    tap(() => {
      report(stderr, `the session could not be closed within ${closeLimit / 1_000} s`)
      process.exit(code || 1) // something holds on that will not let go
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
