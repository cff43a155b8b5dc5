// Counts the subscribers of one source that several streams share.
import { Observable, Subject } from 'rxjs'

export interface HolderCount {
  /** Emits when the last holder has gone. */
  readonly released$: Observable<void>
  /** Counts one holder; the returned function ends it. */
  hold(): () => void
  /** The same stream, its subscribers counted. */
  counted<Value>(stream$: Observable<Value>): Observable<Value>
}

/** For an operator whose outer stream and inner streams have one subscription to the source. */
export function createHolderCount(): HolderCount {
  const released$ = new Subject<void>()
  let count = 0
  const hold = (): (() => void) => {
    count += 1
    return () => {
      count -= 1
      if (count === 0) released$.next()
    }
  }
  return {
    released$: released$.asObservable(),
    hold,
    counted: <Value>(stream$: Observable<Value>): Observable<Value> =>
      new Observable((subscriber) => {
        subscriber.add(hold())
        stream$.subscribe(subscriber)
      }),
  }
}
