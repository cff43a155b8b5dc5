// Writes items in order; an item that cannot be written yet holds back those behind it.
import { trampoline } from './trampoline.ts'

export interface OrderedWriter<Item> {
  /** How many items wait. */
  readonly waiting: number
  /** Writes the item, or adds it behind the items that wait. */
  put(item: Item): void
  /** Tries again. */
  flush(): void
}

/**
 * `write` returns undefined if it failed: the item stays first. `onWritten` is called after each success; an item that it puts
 * is written when it has returned.
 */
export function writeInOrder<Item, Written>(
  write: (item: Item) => Written | undefined,
  onWritten: (item: Item, result: Written) => void,
): OrderedWriter<Item> {
  const items: Item[] = []
  const flush = trampoline(() => {
    const [item] = items
    if (item === undefined) return false
    const result = write(item)
    if (result === undefined) return false
    items.shift()
    onWritten(item, result)
    return true
  })
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
