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
  let publishing = false
  let completed = false
  const publishPending = (): void => {
    while (waiting.length > 0) told$.next(waiting.shift() as Value) // the length was just checked; Value may include undefined
    publishing = false
    if (completed) told$.complete()
  }
  const view$ = new Observable<Value>((subscriber) => {
    const isWithin = publishing
    publishing = true // being told the first value counts: what it sets comes after that
    const subscription = told$.subscribe(subscriber)
    if (!isWithin) publishPending()
    return subscription
  })
  return {
    behavior$: Object.defineProperty(view$, 'value', { get: () => value }) as Behavior<Value>, // just defined
    set: (next) => {
      if (completed) return
      value = next
      if (publishing) {
        waiting.push(next)
        return
      }
      publishing = true
      told$.next(next)
      publishPending()
    },
    complete: () => {
      completed = true
      if (!publishing) told$.complete()
    },
  }
}
