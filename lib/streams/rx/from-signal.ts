// Turns an AbortSignal into an Observable; a signal that is already aborted emits at once.
import { Observable } from 'rxjs'

/** Emits the signal's reason once and completes. Never emits for a missing signal. */
export function fromSignal(signal: AbortSignal | undefined): Observable<unknown> {
  return new Observable((subscriber) => {
    if (signal === undefined) return
    const emitReason = (): void => {
      subscriber.next(signal.reason)
      subscriber.complete()
    }
    if (signal.aborted) {
      emitReason()
      return
    }
    signal.addEventListener('abort', emitReason, { once: true })
    return () => {
      signal.removeEventListener('abort', emitReason)
    }
  })
}
