// React state that is readable at once: one chunk of input may hold several keys.
import { useRef, useState } from 'react'

export interface Latest<Value> {
  /** The value of the last rendering. */
  readonly drawn: Value
  /** The current value. */
  now(): Value
  /** Sets the value and renders. */
  put(next: Value): void
}

export function useLatest<Value extends object | string | number>(initial: Value): Latest<Value> {
  const [drawn, setDrawn] = useState(initial)
  const newest = useRef(drawn)
  return {
    drawn,
    now: () => newest.current,
    put: (next) => {
      newest.current = next
      setDrawn(next)
    },
  }
}
