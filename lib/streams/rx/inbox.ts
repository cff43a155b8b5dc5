// A bounded queue in front of one consumer.
// Guarantees: items are handled in order, one at a time, never nested.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'

export interface Inbox<Item> {
  /**
   * Items in order, never nested; for one subscriber. Items offered before the subscription wait. Does not complete
   * before `close`.
   */
  readonly items$: Observable<Item>
  /** The number of waiting items. */
  readonly size: number
  /** Adds an item; false if `capacity` items wait already or the inbox is closed: the caller must report that. */
  offer(item: Item): boolean
  /** Refuses further items; `items$` completes after the waiting ones were handled. */
  close(): void
}

/** An inbox that holds at most `capacity` waiting items and refuses the next. */
export function inbox<Item>(capacity: number): Inbox<Item> {
  // `next` walks through `waiting`: shifting a long array costs as much as it is long
  let waiting: Item[] = []
  let next = 0
  let consumer: Subscriber<Item> | undefined
  let draining = false
  let closed = false

  const drain = (): void => {
    if (draining) return
    draining = true
    // oxlint-disable-next-line no-unmodified-loop-condition -- the consumer may unsubscribe while it handles an item
    while (consumer?.closed === false && next < waiting.length) consumer.next(take())
    draining = false
    if (closed && next === waiting.length) consumer?.complete()
  }
  const take = (): Item => {
    const item = waiting[next++] as Item // the length was just checked; Item may include undefined
    if (next === waiting.length || next === 4_096) {
      waiting = waiting.slice(next)
      next = 0
    }
    return item
  }

  return {
    items$: new Observable((subscriber) => {
      if (consumer?.closed === false) throw new Error('An inbox has one consumer, and this one has it already')
      consumer = subscriber
      drain()
      return () => {
        if (consumer === subscriber) consumer = undefined
      }
    }),
    get size() {
      return waiting.length - next
    },
    offer: (item) => {
      if (closed || waiting.length - next >= capacity) return false
      waiting.push(item)
      drain()
      return true
    },
    close: () => {
      closed = true
      drain()
    },
  }
}
