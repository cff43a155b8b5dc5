// A Behavior has a value now and tells the next ones, all subscribers in one order; only its maker can change it.
import { BehaviorSubject, Observable } from 'rxjs'

/** An Observable that starts with its present value, readable at any time. */
export interface Behavior<Value> extends Observable<Value> {
  readonly value: Value
}

export interface BehaviorHandle<Value> {
  readonly behavior$: Behavior<Value>
  /** Sets the value and tells the subscribers; within a subscriber it is the value at once, and told when all have been told the one before. */
  set(value: Value): void
  /** Ends it behind what was set before; a later `set` does nothing. */
  complete(): void
}

/**
 * A Behavior and the handle that changes it. Late subscribers get the present value first. Buffers what its own subscribers set until all have
 * been told what is being told (all of it), and nothing else.
 */
export function behavior<Value>(initial: Value): BehaviorHandle<Value> {
  const told$ = new BehaviorSubject(initial)
  const waiting: Value[] = []
  let value = initial
  let telling = false
  let completed = false
  const tellWaiting = (): void => {
    while (waiting.length > 0) told$.next(waiting.shift() as Value) // the length was just checked; Value may include undefined
    telling = false
    if (completed) told$.complete()
  }
  const view$ = new Observable<Value>((subscriber) => {
    const isWithin = telling
    telling = true // being told the first value counts: what it sets comes after that
    const subscription = told$.subscribe(subscriber)
    if (!isWithin) tellWaiting()
    return subscription
  })
  return {
    behavior$: Object.defineProperty(view$, 'value', { get: () => value }) as Behavior<Value>, // just defined
    set: (next) => {
      if (completed) return
      value = next
      if (telling) {
        waiting.push(next)
        return
      }
      telling = true
      told$.next(next)
      tellWaiting()
    },
    complete: () => {
      completed = true
      if (!telling) told$.complete()
    },
  }
}
