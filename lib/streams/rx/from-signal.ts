// Turns an AbortSignal into an Observable; a signal that is already aborted emits at once.
import { Observable } from 'rxjs'

/** Emits the signal's reason once and completes. Never emits for a missing signal. */
export function fromSignal(signal: AbortSignal | undefined): Observable<unknown> {
  return new Observable((subscriber) => {
    if (signal === undefined) return
    const tell = (): void => {
      subscriber.next(signal.reason)
      subscriber.complete()
    }
    if (signal.aborted) {
      tell()
      return
    }
    signal.addEventListener('abort', tell, { once: true })
    return () => {
      signal.removeEventListener('abort', tell)
    }
  })
}
