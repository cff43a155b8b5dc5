// Retries failed writes until one succeeds, so that a run end needs no further command.
import { Observable, ignoreElements, switchMap, takeWhile, tap } from 'rxjs'

export interface WriteRetry {
  /** Emits each time the log stops taking lines. */
  readonly writeError$: Observable<unknown>
  /** When to retry; subscribed to after each of those, until a write succeeds. Cold. */
  readonly tick$: Observable<unknown>
  /** Whether writes fail that can succeed later. */
  isFailing(): boolean
  /** Does not throw. */
  retry(): void
}

/** Never emits. The caller unsubscribes: the ticks go on after `writeError$` has completed. Buffers nothing. */
export function retryWrites({ writeError$, tick$, isFailing, retry }: WriteRetry): Observable<never> {
  return writeError$.pipe(
    switchMap(() => tick$.pipe(takeWhile(isFailing), tap(retry))),
    ignoreElements(),
  )
}

/** Milliseconds between two attempts: one attempt is a system call, and a person notices a second. */
const retryMs = 1_000

/** Emits every second; does not keep the process alive. */
export const everySecond$: Observable<void> = new Observable((subscriber) => {
  const timer = setInterval(() => subscriber.next(), retryMs)
  timer.unref()
  return () => clearInterval(timer)
})
