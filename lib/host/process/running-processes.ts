// What is started is counted until nothing of it is left, so that a program that wants to exit can wait for its kills.
import { BehaviorSubject, filter, map, race, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'

const live$ = new BehaviorSubject(0)

/** How many calls have processes now, ended ones with processes still dying included. */
export function countLiveCalls(): number {
  return live$.value
}

/** Counts one call until the returned function is called; calling it again does nothing. */
export function countCall(): () => void {
  let counted = true
  live$.next(live$.value + 1)
  return () => {
    if (!counted) return
    counted = false
    live$.next(live$.value - 1)
  }
}

/**
 * Emits once and completes when no call has processes left, or after `withinMs` (default 2,500: what SIGTERM and SIGKILL
 * need). What is left then is the guardian's.
 */
export function processesSettled({ withinMs = 2500 }: { readonly withinMs?: number } = {}): Observable<void> {
  const settled$ = live$.pipe(filter((count) => count === 0))
  return race(settled$, timer(withinMs)).pipe(
    take(1),
    map(() => undefined),
  )
}
