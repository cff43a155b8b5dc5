// A bounded queue of values for one consumer.
// Guarantees: items are handled in order, one at a time, never nested.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { fifo } from '../values/fifo.ts'
import { trampoline } from './trampoline.ts'

/** A queue with a bound, read by one subscriber. */
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
  const waiting = fifo<Item>()
  let consumer: Subscriber<Item> | undefined
  let isClosed = false

  const drain = trampoline(() => {
    if (consumer === undefined || consumer.closed) return false
    if (waiting.size > 0) consumer.next(waiting.take())
    else if (isClosed) consumer.complete()
    else return false
    return true
  })

  return {
    items$: new Observable((subscriber) => {
      if (consumer?.closed === false)
        throw new Error('An inbox has one consumer at a time, and this one is already subscribed')
      consumer = subscriber
      drain()
      return () => {
        if (consumer === subscriber) consumer = undefined
      }
    }),
    get size() {
      return waiting.size
    },
    offer: (item) => {
      if (isClosed || waiting.size >= capacity) return false
      waiting.put(item)
      drain()
      return true
    },
    close: () => {
      isClosed = true
      drain()
    },
  }
}
