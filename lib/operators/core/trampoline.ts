// Runs steps in a flat loop: a call from within a step adds no stack frame.

/**
 * Returns `drain`, which calls `step` until it returns false. A `drain` from within a step returns at once, and the loop that
 * is running calls `step` again. Every operator that can be re-entered uses it (docs/design/rxjs.md#8).
 */
export function trampoline(step: () => boolean): () => void {
  let isDraining = false
  return () => {
    if (isDraining) return
    isDraining = true
    try {
      while (step());
    } finally {
      isDraining = false
    }
  }
}

interface Fifo<Value> {
  readonly size: number
  put(value: Value): void
  /** The value that was put first. The caller has checked `size`. */
  take(): Value
}

/**
 * A first-in, first-out queue. `take` costs the same for every length; `Array.shift` moves all values behind the first.
 * Guarantees: an empty queue holds no reference to a value that was taken.
 */
export function fifo<Value>(): Fifo<Value> {
  let values: Value[] = []
  let first = 0
  return {
    get size() {
      return values.length - first
    },
    put: (value) => {
      values.push(value)
    },
    take: () => {
      const value = values[first++] as Value // the caller looked at `size`; Value may include undefined
      if (first === values.length) {
        values.length = 0
        first = 0
      } else if (first > 1_024 && first * 2 > values.length) {
        values = values.slice(first)
        first = 0
      }
      return value
    },
  }
}
