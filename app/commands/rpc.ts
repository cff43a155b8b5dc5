// Runs `rxpi rpc`: serves the protocol on standard input and output with an embedded server.
import type { Readable, Writable } from 'node:stream'
import { concat, defer, filter, map, merge, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { createMachineServer, watchProcess } from '../../lib/server/machine-server.ts'
import { streamTransport } from '../../lib/server/protocol/stream-transport.ts'
import type { RpcInvocation } from '../cli/server-invocation.ts'
import { collectEarly } from '../process/collect-early.ts'
import { compileEarly } from '../process/compile-early.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import { keepBuild } from '../process/keep-build.ts'
import { version } from '../process/version.ts'
import type { ProcessWorld } from '../process/world.ts'

/** UTF-16 units of unsent output above which the server reads no requests; events alone stop at 1 MiB. */
const readBelow = 4_194_304

export interface Ends {
  readonly input: Readable
  /** Stays open at the end. */
  readonly output: Writable
}

/**
 * Emits the exit code when every session is closed: 0 after the end of the input and all responses, and after
 * `shutdown`. Ends an active run.
 */
export function rpc(
  { input, output }: Ends,
  { env, signals$ }: ProcessWorld,
  { extensions }: Pick<RpcInvocation, 'extensions'> = {},
): Observable<number> {
  return defer(() => {
    keepBuild(import.meta.filename)
    collectEarly()
    compileEarly()
    const server = createMachineServer({ env, version, coalesceReads: true, extensions })
    server.connect(streamTransport({ input, output, keepsOutput: true }, { readBelow }))
    const served$ = server.clients$.pipe(
      filter((clients) => clients === 0),
      map(() => 0),
      endAtSignal(signals$),
      mergeMap((code) => concat(server.close(), of(code))),
    )
    return merge(served$, watchProcess()).pipe(take(1))
  })
}
