// An Observable with a current value.
// Guarantees: all subscribers see the values in one order; only its maker sets it.
import { BehaviorSubject, Observable } from 'rxjs'

/** An Observable that starts with its current value, readable at any time. */
export interface Behavior<Value> extends Observable<Value> {
  readonly value: Value
}

export interface BehaviorHandle<Value> {
  readonly behavior$: Behavior<Value>
  /**
   * Sets the value and notifies the subscribers. A set from within a subscriber changes `value` at once and notifies
   * after the current value reached all subscribers.
   */
  set(value: Value): void
  /** Completes after the values set before; a later `set` does nothing. */
  complete(): void
}

/**
 * A Behavior and its handle. Late subscribers receive the current value first. Buffers only values that its own
 * subscribers set while it is notifying.
 */
export function behavior<Value>(initial: Value): BehaviorHandle<Value> {
  const values$ = new BehaviorSubject(initial)
  const waiting: Value[] = []
  let value = initial
  let publishing = false
  let completed = false
  const publishPending = (): void => {
    while (waiting.length > 0) values$.next(waiting.shift() as Value) // the length was just checked; Value may include undefined
    publishing = false
    if (completed) values$.complete()
  }
  const view$ = new Observable<Value>((subscriber) => {
    const isWithin = publishing
    publishing = true // delivering the first value counts as notifying: a value set meanwhile comes after it
    const subscription = values$.subscribe(subscriber)
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
      values$.next(next)
      publishPending()
    },
    complete: () => {
      completed = true
      if (!publishing) values$.complete()
    },
  }
}
