// Ends a command at a signal with the exit code of that signal.
import { map, merge, take } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { signalExitCodes } from './exit-code.ts'
import type { Signal } from './exit-code.ts'

/** Emits the first exit code of the command or of a signal, and completes; unsubscribes the command then. */
export function endAtSignal(signals$: Observable<Signal>): MonoTypeOperatorFunction<number> {
  return (exitCode$) => merge(exitCode$, signals$.pipe(map((signal) => signalExitCodes[signal]))).pipe(take(1))
}
