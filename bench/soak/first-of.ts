// A stream's first value as a promise; it rejects if there is none.
import { take, throwIfEmpty } from 'rxjs'
import type { Observable } from 'rxjs'

/** Unsubscribes at the first value. */
export function firstOf<Value>(source$: Observable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    source$.pipe(take(1), throwIfEmpty()).subscribe({ next: resolve, error: reject })
  })
}
