// So many calls may be unanswered at a time; the next one is refused at once, not queued.
import { defer, finalize, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

export interface BoundedCalls {
  /** How many are unanswered now. */
  readonly open: number
  /**
   * The source, which counts from its subscription to its end (also by unsubscribing). Where the limit is reached, it fails
   * with `overloaded` instead and the source is not subscribed.
   */
  bound<Value>(source$: Observable<Value>): Observable<Value>
}

/** @param owner who has the calls, as the error names it */
export function boundedCalls(limit: number, owner: string): BoundedCalls {
  let open = 0
  const leave = (): void => {
    open -= 1
  }
  return {
    get open() {
      return open
    },
    bound: (source$) =>
      defer(() => {
        if (open >= limit) return throwError(() => overloaded(limit, owner))
        open += 1
        return source$.pipe(finalize(leave))
      }),
  }
}

function overloaded(limit: number, owner: string): Failure {
  return new Failure('overloaded', `${owner} has ${limit} unanswered commands; send more when some have been answered`)
}
