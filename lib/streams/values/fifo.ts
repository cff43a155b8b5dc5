// A first-in, first-out queue whose `take` costs the same for every length.

export interface Fifo<Value> {
  readonly size: number
  put(value: Value): void
  /** The value that was put first. The caller has checked `size`. */
  take(): Value
}

/**
 * An empty queue. `Array.shift` moves all values after the first; here a value is moved once on average, at most.
 * Guarantees: the queue holds references to at most as many taken values as values wait in it.
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
      } else if (first * 2 > values.length) {
        values = values.slice(first)
        first = 0
      }
      return value
    },
  }
}
