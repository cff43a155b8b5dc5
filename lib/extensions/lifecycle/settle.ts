// Waits for the end of what a function of an extension returned.
import { EMPTY, Observable, endWith, from, ignoreElements, merge, mergeMap, take, timer } from 'rxjs'
import type { ObservableInput } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

/** The end of what a function returned: at once for a value. */
export function settled(returned: unknown): Observable<never> {
  const isInput = typeof returned === 'object' && returned !== null && ('then' in returned || 'subscribe' in returned)
  return isInput ? from(returned as ObservableInput<unknown>).pipe(ignoreElements()) : EMPTY
}

/** The end of the source; fails with `timeout` if it does not come within the limit. */
export function within(source$: Observable<never>, limitMs: number): Observable<never> {
  const late$ = timer(limitMs).pipe(
    mergeMap(() => {
      throw new Failure('timeout', `it did not end within ${limitMs / 1000} s`)
    }),
  )
  return new Observable((subscriber) => {
    const timing = late$.subscribe({ error: (error: unknown) => subscriber.error(error) })
    subscriber.add(timing)
    subscriber.add(source$.subscribe(subscriber))
  })
}

/**
 * The end of the source, or the first value of `end$`: a failure of the source after that follows from the end, and is dropped.
 * Subscribes to the source first, also if `end$` emits at once: a promise without a handler would end the process.
 */
export function untilEnd(source$: Observable<never>, end$: Observable<void>): Observable<never> {
  return merge(source$.pipe(endWith(undefined)), end$).pipe(take(1), ignoreElements())
}
