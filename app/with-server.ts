// A command that embeds a server: whatever happens, its sessions are closed before the exit code is given.
import { catchError, concat, config, defer, filter, ignoreElements, lastValueFrom, map, merge, of, race } from 'rxjs'
import { mergeMap, take, tap, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { Client } from '../lib/server/client.ts'
import { createEmbeddedServer } from '../lib/server/create-embedded-server.ts'
import { Failure } from '../lib/streams/failure.ts'
import { exitCodeOfFailure, signalExitCodes } from './exit-code.ts'
import { interrupts } from './interrupts.ts'
import { output } from './output.ts'
import type { Output } from './output.ts'
import { tell } from './progress.ts'
import { standardInput } from './standard-input.ts'
import { version } from './version.ts'
import type { World } from './world.ts'

/** Milliseconds for closing: what still runs has its grace time, the log its last sync. */
const closeLimit = 15_000

/** Resolves with the exit code of `work`, or where that is 0 and closing or writing failed, with theirs. Never rejects. */
export function withServer(work: (world: World) => Observable<number>): Promise<number> {
  const { stdout, stderr } = outputs()
  let faults = 0
  config.onUnhandledError = (error) => {
    faults += 1
    tell(stderr, `internal fault: ${Failure.from(error).message}`)
  }
  const signals$ = interrupts(process)
  const telling: Telling = { stderr, said: new Set() }
  const worked$ = defer(() => {
    const env = environment()
    const { client } = createEmbeddedServer({ env, version })
    const world: World = { env, stdin: standardInput(), stdout, stderr, signals$, client }
    return work(world).pipe(
      failureTold(telling),
      mergeMap((code) => closed(client, code, telling)),
    )
  }).pipe(failureTold(telling))
  const finished$ = worked$.pipe(
    mergeMap((code) =>
      race(concat(stdout.flushed(), of(code)), signals$.pipe(map((signal) => signalExitCodes[signal]))),
    ),
    mergeMap((code) => unwritten(stdout, stderr).pipe(map((failed) => code || failed || (faults > 0 ? 1 : 0)))),
    take(1),
  )
  // signals are listened to from first to last: one that nobody hears kills the process where it stands
  return lastValueFrom(merge(signals$.pipe(ignoreElements()), finished$).pipe(take(1)), { defaultValue: 1 })
}

function outputs(): Pick<World, 'stdout' | 'stderr'> {
  const colours = (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb'
  return {
    stdout: output({ stream: process.stdout, name: 'standard output', colours }),
    stderr: output({ stream: process.stderr, name: 'standard error', colours }),
  }
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** What a full disk did to the run, it does to closing too: the same is said once. */
interface Telling {
  readonly stderr: Output
  readonly said: Set<string>
}

function failureTold({ stderr, said }: Telling): MonoTypeOperatorFunction<number> {
  return catchError((error: unknown) => {
    const failure = Failure.from(error)
    if (!said.has(failure.message)) tell(stderr, failure.message)
    said.add(failure.message)
    return of(exitCodeOfFailure(failure))
  })
}

/** The code, when every session is closed: nothing written is lost, nothing started runs on. */
function closed(client: Client, code: number, telling: Telling): Observable<number> {
  const asked$ = client.request({ type: 'shutdown' }).pipe(
    map(() => 0),
    failureTold(telling),
  )
  const late$ = timer(closeLimit).pipe(
    tap(() => {
      tell(telling.stderr, `the session could not be closed within ${closeLimit / 1_000} s`)
      process.exit(code || 1) // something holds on that will not let go
    }),
  )
  return race(asked$, late$).pipe(
    take(1),
    map((closing) => code || closing),
    tap(() => {
      client.close()
    }),
  )
}

/** 0, or 1 where output was lost that somebody waits for: not when its reader has gone. */
function unwritten({ broken$ }: Output, stderr: Output): Observable<number> {
  const lost$ = broken$.pipe(
    filter((failure) => failure.data['errno'] !== 'EPIPE'),
    map((failure) => {
      tell(stderr, failure.message)
      return 1
    }),
  )
  return merge(lost$, of(0)).pipe(take(1)) // `lost$` replays: where there is one, it comes first
}
