// The first Ctrl-C, SIGTERM or SIGHUP (the terminal is gone) is told, so that a run can end in an orderly way; the second ends the process at once.
import { Observable, share } from 'rxjs'
import { signalExitCodes } from './exit-code.ts'
import type { Signal } from './exit-code.ts'

/** What of the process is used. */
export interface SignalSource {
  on(event: Signal, listener: (signal: Signal) => void): unknown
  off(event: Signal, listener: (signal: Signal) => void): unknown
  exit(code: number): never
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Hot, shared; while anybody listens. Never completes. */
export function interrupts(source: SignalSource): Observable<Signal> {
  return new Observable<Signal>((subscriber) => {
    let wasTold = false
    const tell = (signal: Signal): void => {
      if (wasTold) source.exit(signalExitCodes[signal])
      wasTold = true
      subscriber.next(signal)
    }
    for (const signal of signals) source.on(signal, tell)
    return () => {
      for (const signal of signals) source.off(signal, tell)
    }
  }).pipe(share())
}
