// What a component asks the server for, once for as long as it is there.
import { useEffect, useState } from 'react'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: Value }
  | { readonly state: 'failed'; readonly failure: Failure }

/** Asked anew when `key` changes; what was asked before is let go of. */
export function useRequest<Value>(ask$: () => Observable<Value>, key: string): Loaded<Value> {
  const [answered, setAnswered] = useState<{ readonly key: string; readonly loaded: Loaded<Value> }>()
  useEffect(() => {
    const subscription = ask$().subscribe({
      next: (value) => {
        setAnswered({ key, loaded: { state: 'loaded', value } })
      },
      error: (thrown: unknown) => {
        setAnswered({ key, loaded: { state: 'failed', failure: Failure.from(thrown) } })
      },
    })
    return () => {
      subscription.unsubscribe()
    }
  }, [key]) // what is asked follows from the key
  return answered?.key === key ? answered.loaded : { state: 'loading' }
}
