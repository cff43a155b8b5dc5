// All values of a real stream, for tests that wait for it.
import { lastValueFrom, toArray } from 'rxjs'
import type { Observable } from 'rxjs'

/** Resolves with every value when the stream completes; rejects with its error. */
export function valuesOf<Value>(source$: Observable<Value>): Promise<Value[]> {
  return lastValueFrom(source$.pipe(toArray()), { defaultValue: [] })
}
