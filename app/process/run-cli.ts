// A command in its process: its output reaches its reader, its failures are told once, and its exit code is given in the end.
import {
  catchError,
  concat,
  config,
  defer,
  filter,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  of,
  race,
  mergeMap,
  take,
  Observable,
  share,
} from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { Failure } from '../../lib/streams/values/failure.ts'
import { exitCodeOfFailure, signalExitCodes } from './exit-code.ts'
import { createOutput } from './output.ts'
import type { Output } from './output.ts'
import { report } from './progress.ts'
import { standardInput } from './standard-input.ts'
import type { ProcessWorld } from './world.ts'
import type { Signal } from './exit-code.ts'

export interface Work {
  readonly world: ProcessWorld
  /** A failure becomes its exit code and one line on stderr, which is not said twice. */
  readonly reportFailure: MonoTypeOperatorFunction<number>
}

/** Resolves with the exit code of `work`, or where that is 0 and writing failed, with 1. Never rejects. */
export function runCli(work: (parts: Work) => Observable<number>): Promise<number> {
  const { stdout, stderr } = outputs()
  let faults = 0
  config.onUnhandledError = (error) => {
    faults += 1
    report(stderr, `internal fault: ${Failure.from(error).message}`)
  }
  const signals$ = signalsOf(process)
  const world: ProcessWorld = { env: environment(), stdin: standardInput(), stdout, stderr, signals$ }
  const parts: Work = { world, reportFailure: reportFailures(stderr) }
  const finished$ = defer(() => work(parts)).pipe(
    parts.reportFailure,
    mergeMap((code) =>
      race(concat(stdout.flushed(), of(code)), signals$.pipe(map((signal) => signalExitCodes[signal]))),
    ),
    mergeMap((code) => outputExitCode(stdout, stderr).pipe(map((failed) => code || failed || (faults > 0 ? 1 : 0)))),
    take(1),
  )
  // signals are listened to from first to last: one that nobody hears kills the process where it stands
  return lastValueFrom(merge(signals$.pipe(ignoreElements()), finished$).pipe(take(1)), { defaultValue: 1 })
}

function outputs(): Pick<ProcessWorld, 'stdout' | 'stderr'> {
  const colours = (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb'
  return {
    stdout: createOutput({ stream: process.stdout, name: 'standard output', colours }),
    stderr: createOutput({ stream: process.stderr, name: 'standard error', colours }),
  }
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** What a full disk did to the run, it does to closing too: the same is said once. */
function reportFailures(stderr: Output): MonoTypeOperatorFunction<number> {
  const reported = new Set<string>()
  return catchError((error: unknown) => {
    const failure = Failure.from(error)
    if (!reported.has(failure.message)) report(stderr, failure.message)
    reported.add(failure.message)
    return of(exitCodeOfFailure(failure))
  })
}

/** 0, or 1 where output was lost that somebody waits for: not when its reader has gone. */
function outputExitCode({ broken$ }: Output, stderr: Output): Observable<number> {
  const lost$ = broken$.pipe(
    filter((failure) => failure.data['errno'] !== 'EPIPE'),
    map((failure) => {
      report(stderr, failure.message)
      return 1
    }),
  )
  return merge(lost$, of(0)).pipe(take(1)) // `lost$` replays: where there is one, it comes first
}

// The first Ctrl-C, SIGTERM or SIGHUP (the terminal is gone) is told, so that a run can end in an orderly way; the second ends the process at once.

/** What of the process is used. */
interface SignalSource {
  on(event: Signal, listener: (signal: Signal) => void): unknown
  off(event: Signal, listener: (signal: Signal) => void): unknown
  exit(code: number): never
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Hot, shared; while anybody listens. Never completes. */
export function signalsOf(source: SignalSource): Observable<Signal> {
  return new Observable<Signal>((subscriber) => {
    let wasSignalled = false
    const onSignal = (signal: Signal): void => {
      if (wasSignalled) source.exit(signalExitCodes[signal])
      wasSignalled = true
      subscriber.next(signal)
    }
    for (const signal of signals) source.on(signal, onSignal)
    return () => {
      for (const signal of signals) source.off(signal, onSignal)
    }
  }).pipe(share())
}
