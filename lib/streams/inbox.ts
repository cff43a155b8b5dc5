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
  const waiting: Item[] = []
  let consumer: Subscriber<Item> | undefined
  let draining = false
  let closed = false

  const drain = (): void => {
    if (draining) return
    draining = true
    while (consumer?.closed === false && waiting.length > 0) {
      const item = waiting.shift() as Item // length was just checked; Item may include undefined
      consumer.next(item)
    }
    draining = false
    if (closed && waiting.length === 0) consumer?.complete()
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
      return waiting.length
    },
    offer: (item) => {
      if (closed || waiting.length >= capacity) return false
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
