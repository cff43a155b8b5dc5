// The bridge from a Behavior to React: its value now, and a render for each change that counts.
import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { Behavior } from '../../../lib/streams/rx/behavior.ts'

/** @param isSame true where the newer value is drawn like the older, which then stays. Default: none is. */
export function useBehavior<Value>(
  behavior$: Behavior<Value>,
  isSame: (older: Value, newer: Value) => boolean = Object.is,
): Value {
  const latest = useRef(behavior$.value)
  const subscribe = useCallback(
    (changed: () => void) => {
      const subscription = behavior$.subscribe(changed)
      return () => {
        subscription.unsubscribe()
      }
    },
    [behavior$],
  )
  return useSyncExternalStore(subscribe, () => {
    const { value } = behavior$
    if (!isSame(latest.current, value)) latest.current = value
    return latest.current
  })
}
