// Reads the value that an Observable emits within the call of `subscribe`.
import type { Observable } from 'rxjs'

/**
 * Subscribes, unsubscribes, and returns the last value that came in between; undefined if none came. A source that
 * emits later is cancelled. @throws what the source fails with in that call
 */
export function readNow<Value>(value$: Observable<Value>): Value | undefined {
  let last: Value | undefined
  let failure: { readonly error: unknown } | undefined
  value$
    .subscribe({
      next: (value) => {
        last = value
      },
      error: (error: unknown) => {
        failure = { error }
      },
    })
    .unsubscribe()
  if (failure !== undefined) throw failure.error
  return last
}
