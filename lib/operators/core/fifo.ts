// What was put first is taken first, at a cost that does not grow: `shift` moves everything that is behind, a walking index moves it once in a while.

export interface Fifo<Value> {
  readonly size: number
  put(value: Value): void
  /** The first that was put; asked for only where there is one. */
  take(): Value
}

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
      if (first > 1_024 && first * 2 > values.length) {
        values = values.slice(first)
        first = 0
      }
      return value
    },
  }
}
