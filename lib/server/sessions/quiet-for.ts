// A server is quiet while nobody is connected and nothing runs; how long it has been so is a matter of two streams and one timer.
import { NEVER, concat, defer, distinctUntilChanged, filter, ignoreElements, map, merge, repeat } from 'rxjs'
import { switchMap, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'

export interface QuietOptions {
  /** How many are connected, now and from then on. */
  readonly clients$: Observable<number>
  /** One Observable for each run that is on; it emits or completes when that run has ended. */
  running(): readonly Observable<unknown>[]
  /** Milliseconds, below 2³¹. */
  readonly ms: number
  /** Emits when so many milliseconds are over. Default: rxjs' timer. */
  readonly wait?: (ms: number) => Observable<unknown>
}

/**
 * Emits once, when for `ms` there has been neither client nor run, and completes. Each client that comes, and each run, begins
 * the time anew; nothing is looked at while a client is there.
 */
export function quietFor({ clients$, running, ms, wait = inTime }: QuietOptions): Observable<void> {
  // who looks when the time is over sees also the runs that have begun by themselves meanwhile
  const looked$ = wait(ms).pipe(map(() => running().length === 0))
  const alone$ = defer(() => concat(merge(...running().map(untilItEnds)), looked$)).pipe(repeat(), filter(Boolean))
  return clients$.pipe(
    map((clients) => clients === 0),
    distinctUntilChanged(),
    switchMap((isAlone) => (isAlone ? alone$ : NEVER)),
    map(() => undefined),
    take(1),
  )
}

function inTime(ms: number): Observable<unknown> {
  return timer(ms)
}

function untilItEnds(run$: Observable<unknown>): Observable<never> {
  return run$.pipe(take(1), ignoreElements())
}
