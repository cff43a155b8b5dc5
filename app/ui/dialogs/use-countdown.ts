// The seconds that are left to answer, counted down on the screen.
import { useEffect, useState } from 'react'
import { timer } from 'rxjs'

/** Seconds, rounded up, from when the component was there first; undefined where there is no limit. */
export function useCountdown(timeoutMs: number | undefined): number | undefined {
  const [left, setLeft] = useState(timeoutMs)
  useEffect(() => {
    if (timeoutMs === undefined) return undefined
    const until = Date.now() + timeoutMs
    const subscription = timer(0, 1_000).subscribe(() => {
      setLeft(Math.max(0, until - Date.now()))
    })
    return () => {
      subscription.unsubscribe()
    }
  }, [timeoutMs])
  return left === undefined ? undefined : Math.ceil(left / 1_000)
}
