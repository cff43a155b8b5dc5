// Orders the loads of threads: few at a time, and new content by one thread first, which compiles it.
import { availableParallelism } from 'node:os'
import {
  EMPTY,
  Observable,
  ReplaySubject,
  Subject,
  concat,
  defer,
  finalize,
  merge,
  mergeMap,
  take,
  tap,
  timer,
} from 'rxjs'
import type { ModuleFile } from '../../loader/load-module.ts'

/** Contents that are remembered as loaded; all of them are forgotten when one more comes. */
const maxLoaded = 256

export interface LoadOrderOptions {
  /**
   * Loads at a time. Default: as many as there are processors, 2 to 8. A load takes twice the memory that its thread keeps, and
   * glibc's allocator returns little of it: sixteen at once leave 114 MiB in it, two at a time 40 (docs/decisions/0755).
   */
  readonly atMost?: number
  /** Milliseconds after which a load no longer holds others. Default 2,000: the top level of an extension may wait or loop. */
  readonly turnMs?: number
}

export interface LoadOrder {
  /**
   * Mirrors a load that waits for its turn. If the same content is loaded for the first time just now, it also waits until that
   * load has ended; if that one was unsubscribed from, one of those that wait is the first. A load without stored code waits for
   * its turn only. Buffers one entry for each load that waits.
   */
  wait<Value>(file: Pick<ModuleFile, 'code'>, load$: Observable<Value>): Observable<Value>
}

export function loadOrder(options: LoadOrderOptions = {}): LoadOrder {
  const turns = loadTurns(options)
  /** The first load of each content, by its stored code; completes when that load ends. */
  const firsts = new Map<string, Observable<never>>()
  /** Contents that were loaded, or refused: their loads wait for none. */
  const loaded = new Set<string>()
  const remember = (key: string): void => {
    if (loaded.size >= maxLoaded) loaded.clear()
    loaded.add(key)
  }
  const asFirst$ = <Value>(key: string, load$: Observable<Value>): Observable<Value> => {
    const end$ = new Subject<never>()
    firsts.set(key, end$.asObservable())
    const known = (): void => {
      remember(key)
    }
    return load$.pipe(
      tap({ next: known, error: known }),
      finalize(() => {
        firsts.delete(key)
        end$.complete()
      }),
    )
  }
  return {
    wait: ({ code }, load$) => {
      const inTurn$ = turns.wait(load$)
      if (code === undefined) return inTurn$
      const key = `${code.folder}\0${code.digest}`
      const inOrder$: typeof load$ = defer(() => {
        if (loaded.has(key)) return inTurn$
        const first$ = firsts.get(key)
        return first$ === undefined ? asFirst$(key, inTurn$) : concat(first$, inOrder$)
      })
      return inOrder$
    },
  }
}

interface LoadTurns {
  wait<Value>(load$: Observable<Value>): Observable<Value>
}

/** Each load is subscribed to when its turn comes: its turn ends with it, or after `turnMs`. */
function loadTurns({
  atMost = Math.min(Math.max(availableParallelism(), 2), 8),
  turnMs = 2_000,
}: LoadOrderOptions): LoadTurns {
  const turn$ = new Subject<Observable<unknown>>()
  turn$.pipe(mergeMap((each$) => each$, atMost)).subscribe()
  return {
    wait: (load$) =>
      new Observable((subscriber) => {
        const end$ = new ReplaySubject<void>(1)
        subscriber.add(() => {
          end$.next()
        })
        const begin$ = defer(() => {
          if (subscriber.closed) return EMPTY // its subscriber has left
          load$.subscribe(subscriber)
          return merge(end$, timer(turnMs)).pipe(take(1))
        })
        turn$.next(begin$)
      }),
  }
}
