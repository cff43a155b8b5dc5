// Runs a command in its process: streams, signals, one failure message, the exit code.
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
  /** Replaces a failure by its exit code and prints it once on stderr. */
  readonly reportFailure: MonoTypeOperatorFunction<number>
}

/** Resolves with the exit code of `work`; with 1 if that is 0 and writing failed. Never rejects. */
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
  // listens to signals until the end: an unhandled signal kills the process at once
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

/** A full disk fails the run and the closing with one message, which is printed once. */
function reportFailures(stderr: Output): MonoTypeOperatorFunction<number> {
  const reported = new Set<string>()
  return catchError((error: unknown) => {
    const failure = Failure.from(error)
    if (!reported.has(failure.message)) report(stderr, failure.message)
    reported.add(failure.message)
    return of(exitCodeOfFailure(failure))
  })
}

/** Emits 0, or 1 if output was lost; a reader that is gone loses nothing. */
function outputExitCode({ broken$ }: Output, stderr: Output): Observable<number> {
  const lost$ = broken$.pipe(
    filter((failure) => failure.data['errno'] !== 'EPIPE'),
    map((failure) => {
      report(stderr, failure.message)
      return 1
    }),
  )
  return merge(lost$, of(0)).pipe(take(1)) // `lost$` replays: if there is a value, it comes first
}

/** The part of the process that it uses. */
interface SignalSource {
  on(event: Signal, listener: (signal: Signal) => void): unknown
  off(event: Signal, listener: (signal: Signal) => void): unknown
  exit(code: number): never
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Emits the first Ctrl-C, SIGTERM or SIGHUP, so that a run can end in order; ends the process at the second. Hot and
 * shared, while subscribed. Never completes.
 */
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
