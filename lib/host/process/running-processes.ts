// Counts the calls with running processes, so that a program can wait for their end before it exits.
import { BehaviorSubject, filter, map, race, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'

const live$ = new BehaviorSubject(0)

/** The number of calls with processes now, including ended calls whose processes are still dying. */
export function countLiveCalls(): number {
  return live$.value
}

/** Counts one call until the returned function is called. That function is idempotent. */
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
 * Emits once and completes when no call has processes left, or after `withinMs` (default 2,500: the time of SIGTERM and
 * SIGKILL). The guardian ends the rest.
 */
export function processesSettled({ withinMs = 2500 }: { readonly withinMs?: number } = {}): Observable<void> {
  const settled$ = live$.pipe(filter((count) => count === 0))
  return race(settled$, timer(withinMs)).pipe(
    take(1),
    map(() => undefined),
  )
}
