// What a Subject does for those who are there, at less a value: one call each, and none where nobody is.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'

export interface Broadcast<Value> {
  /** Live; completes with `complete`, at once for who comes later. */
  readonly value$: Observable<Value>
  /** Tells those who are there now: who comes within it is told the next value first. */
  next(value: Value): void
  complete(): void
}

/** Keeps nothing for late subscribers and never fails. */
export function broadcast<Value>(): Broadcast<Value> {
  // replaced by each who comes or goes, so that a value goes to those who were there when it came
  let subscribers: readonly Subscriber<Value>[] = []
  let ended = false
  return {
    value$: new Observable((subscriber) => {
      if (ended) {
        subscriber.complete()
        return undefined
      }
      subscribers = [...subscribers, subscriber]
      return () => {
        subscribers = subscribers.filter((each) => each !== subscriber)
      }
    }),
    next: (value) => {
      const present = subscribers
      for (let index = 0; index < present.length; index++) present[index]?.next(value) // `for of` costs an iterator a value
    },
    complete: () => {
      ended = true
      for (const subscriber of subscribers) subscriber.complete()
    },
  }
}
