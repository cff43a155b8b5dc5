// The bridge from a Behavior to React: its value now, and a render for each change.
import { useCallback, useSyncExternalStore } from 'react'
import type { Behavior } from '../../../lib/streams/behavior.ts'

export function useBehavior<Value>(behavior$: Behavior<Value>): Value {
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = behavior$.subscribe(changed)
      return () => {
        subscription.unsubscribe()
      }
    },
    [behavior$],
  )
  return useSyncExternalStore(subscribe, () => behavior$.value)
}
