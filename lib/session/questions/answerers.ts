// Whether anybody can answer a question is known at any time: those who can, and one who was there a moment ago.
import { NEVER, Observable, Subject, asyncScheduler, defer, map, of, startWith, switchMap, take, timer } from 'rxjs'

/** How long one who has gone is waited for, in milliseconds: a client whose connection was cut comes back. */
export const answererGraceMs = 30_000

export interface Answerers {
  /** While it is subscribed, one more can answer; never emits. */
  readonly answering$: Observable<never>
  /** Emits once when nobody can answer — at once where nobody has been there for 30 s — and completes. */
  readonly nobody$: Observable<void>
}

export function answerers(): Answerers {
  const changed$ = new Subject<void>()
  let present = 0
  let leftAt = -Infinity
  const change = (by: 1 | -1): void => {
    present += by
    leftAt = asyncScheduler.now()
    changed$.next()
  }
  const absence$ = (): Observable<unknown> => {
    if (present > 0) return NEVER
    const waitMs = leftAt + answererGraceMs - asyncScheduler.now()
    return waitMs > 0 ? timer(waitMs) : of(undefined)
  }
  return {
    answering$: new Observable(() => {
      change(1)
      return () => {
        change(-1)
      }
    }),
    nobody$: defer(() =>
      changed$.pipe(
        startWith(undefined),
        switchMap(absence$),
        take(1),
        map(() => undefined),
      ),
    ),
  }
}
