// Shares the next run of some work: at most one runs, and at most one waits, however many ask.
import { BehaviorSubject, defer, filter, finalize, share, switchMap, take, tap } from 'rxjs'
import type { Observable } from 'rxjs'

/**
 * The work for each subscriber, from a run that begins after the subscription: at once, or when the present one has
 * ended. All that subscribe meanwhile share that next run: its values, its end, its failure. A run whose subscribers have
 * all left is unsubscribed. Buffers nothing: all that share a run subscribe before it begins.
 */
export function shareNext<Value>(work$: Observable<Value>): Observable<Value> {
  const isFree$ = new BehaviorSubject(true)
  let next$: Observable<Value> | undefined
  const begin = (): void => {
    next$ = undefined
    isFree$.next(false)
  }
  const run$ = isFree$.pipe(
    filter((isFree) => isFree),
    take(1),
    tap(begin),
    switchMap(() => work$.pipe(finalize(() => isFree$.next(true)))),
  )
  return defer(() => (next$ ??= run$.pipe(share())))
}
