// `rxpi rpc`: the protocol on standard input and output; the server in this process ends with its only client.
import type { Readable, Writable } from 'node:stream'
import { concat, defer, filter, map, merge, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { createMachineServer } from '../../lib/server/machine-server.ts'
import { streamTransport } from '../../lib/server/protocol/stream-transport.ts'
import { collectEarly } from '../process/collect-early.ts'
import { compileEarly } from '../process/compile-early.ts'
import { signalExitCodes } from '../process/exit-code.ts'
import { keepBuild } from '../process/keep-build.ts'
import { version } from '../process/version.ts'
import type { ProcessWorld } from '../process/world.ts'

/** UTF-16 units unsent above which the client is not listened to: beyond what events may leave (1 MiB) it does not take its answers. */
const readBelow = 4_194_304

export interface Ends {
  readonly input: Readable
  /** Stays open in the end. */
  readonly output: Writable
}

/**
 * Emits the exit code when every session is closed: 0 at the end of the input, when all that it asked is answered, and after
 * the client's `shutdown`. A run that is on then is ended.
 */
export function rpc({ input, output }: Ends, { env, signals$ }: ProcessWorld): Observable<number> {
  return defer(() => {
    keepBuild(import.meta.filename)
    collectEarly()
    compileEarly()
    const server = createMachineServer({ env, version, coalesceReads: true })
    server.connect(streamTransport({ input, output, keepsOutput: true }, { readBelow }))
    const gone$ = server.clients$.pipe(
      filter((clients) => clients === 0),
      map(() => 0),
    )
    const signalled$ = signals$.pipe(map((signal) => signalExitCodes[signal]))
    return merge(gone$, signalled$).pipe(
      take(1),
      mergeMap((code) => concat(server.close(), of(code))),
    )
  })
}
