// A session that was made for an answer is worth nothing to who never hears its id: it goes again where nobody waits any more.
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { whenLeft } from './when-left.ts'

/**
 * The source, whose first value names a session that it made. Where it is unsubscribed before that value, `removed$` is subscribed, and
 * runs to its end whatever follows. Where the source fails or completes, what it made stays: a failure tells what that is.
 * @param removed$ what it fails with has nobody left to be told, and the session stays
 */
export function removedUnlessAnswered<Value>(removed$: Observable<unknown>): MonoTypeOperatorFunction<Value> {
  return whenLeft(() => removed$.subscribe({ error: () => undefined }))
}
