// The first Ctrl-C or SIGTERM is told, so that a run can end in an orderly way; the second ends the process at once.
import { Observable, share } from 'rxjs'
import { signalExitCodes } from './exit-code.ts'
import type { Signal } from './exit-code.ts'

/** What of the process is used. */
export interface SignalSource {
  on(event: Signal, listener: (signal: Signal) => void): unknown
  off(event: Signal, listener: (signal: Signal) => void): unknown
  exit(code: number): never
}

/** Hot, shared; while anybody listens. Never completes. */
export function interrupts(source: SignalSource): Observable<Signal> {
  return new Observable<Signal>((subscriber) => {
    let told = false
    const tell = (signal: Signal): void => {
      if (told) source.exit(signalExitCodes[signal])
      told = true
      subscriber.next(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) source.on(signal, tell)
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) source.off(signal, tell)
    }
  }).pipe(share())
}
