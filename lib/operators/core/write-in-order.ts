// What cannot be written waits, in order, until it can; nothing overtakes it.

export interface OrderedWriter<Item> {
  /** How many wait. */
  readonly waiting: number
  /** Writes the item, or has it wait behind what waits already. */
  put(item: Item): void
  /** Tries again. */
  flush(): void
}

/**
 * `write` returns undefined where it failed: the item stays first. `written` is told of each success; what it puts or
 * flushes is written when it has returned.
 */
export function writeInOrder<Item, Written>(
  write: (item: Item) => Written | undefined,
  written: (item: Item, result: Written) => void,
): OrderedWriter<Item> {
  const items: Item[] = []
  let flushing = false
  const flush = (): void => {
    if (flushing) return
    flushing = true
    writeAll()
    flushing = false
  }
  const writeAll = (): void => {
    for (let item = items[0]; item !== undefined; item = items[0]) {
      const result = write(item)
      if (result === undefined) return
      items.shift()
      written(item, result)
    }
  }
  return {
    get waiting() {
      return items.length
    },
    put: (item) => {
      items.push(item)
      flush()
    },
    flush,
  }
}
