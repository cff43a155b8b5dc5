// React hook that loads a value from the server once.
import { useEffect, useState } from 'react'
import type { Observable } from 'rxjs'
import { Failure } from '../../../lib/streams/values/failure.ts'

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly value: Value }
  | { readonly state: 'failed'; readonly failure: Failure }

/** Subscribes again when `key` changes; unsubscribes from the request before. */
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
  }, [key]) // the key identifies the request
  return answered?.key === key ? answered.loaded : { state: 'loading' }
}
