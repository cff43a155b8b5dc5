// What a key acts on is the newest, not what was drawn: several keys may come in one piece, before anything is drawn.
import { useRef, useState } from 'react'

export interface Latest<Value> {
  /** As it was when the component was drawn. */
  readonly drawn: Value
  /** As the keys before this one have left it. */
  now(): Value
  /** Draws it anew. */
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
