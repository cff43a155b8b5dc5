// React hook that reads a Behavior and renders on each relevant change.
import { useCallback, useRef, useSyncExternalStore } from 'react'
import type { Behavior } from '../../../lib/streams/rx/behavior.ts'

/** @param isSame true if the newer value draws like the older, which stays then. Default: `Object.is` */
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
