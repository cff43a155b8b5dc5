// A bounded queue in front of one consumer: what is offered while an item is being handled waits behind it, in order.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'

export interface Inbox<Item> {
  /** Items in order, one after the other and never nested; for one subscriber. What was offered before it came waits. Never completes before `close`. */
  readonly items$: Observable<Item>
  /** How many wait. */
  readonly size: number
  /** Puts an item in; false where `capacity` items wait already or the inbox is closed: the caller must say so to whom it concerns. */
  offer(item: Item): boolean
  /** Takes nothing more; `items$` completes when what waits has been handled. */
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
