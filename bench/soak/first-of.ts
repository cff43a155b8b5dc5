// A stream's first value as a promise; that there is none is an error.
import { take, throwIfEmpty } from 'rxjs'
import type { Observable } from 'rxjs'

/** Unsubscribes when it has come. */
export function firstOf<Value>(source$: Observable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    source$.pipe(take(1), throwIfEmpty()).subscribe({ next: resolve, error: reject })
  })
}
