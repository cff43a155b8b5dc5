// A command's answer as a promise: it is emitted once, or the stream fails.
import type { Observable } from 'rxjs'

/** Resolves with the first value and rejects with the failure; subscribes at once. */
export function promised<Value>(answer$: Observable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    answer$.subscribe({ next: resolve, error: reject })
  })
}
