// A Behavior has a value now and tells the next ones; only its maker can change it.
import { BehaviorSubject, Observable } from 'rxjs'

/** An Observable that starts with its present value, readable at any time. */
export interface Behavior<Value> extends Observable<Value> {
  readonly value: Value
}

export interface BehaviorHandle<Value> {
  readonly behavior$: Behavior<Value>
  /** Sets the value and tells the subscribers; after `complete` it does nothing. */
  set(value: Value): void
  complete(): void
}

/** A Behavior and the handle that changes it. Late subscribers get the present value first; nothing else is kept. */
export function behavior<Value>(initial: Value): BehaviorHandle<Value> {
  const subject$ = new BehaviorSubject(initial)
  const view$ = new Observable<Value>((subscriber) => subject$.subscribe(subscriber))
  let completed = false
  return {
    behavior$: Object.defineProperty(view$, 'value', { get: () => subject$.getValue() }) as Behavior<Value>, // just defined
    set: (value) => {
      if (!completed) subject$.next(value) // a BehaviorSubject would take the value and tell nobody
    },
    complete: () => {
      completed = true
      subject$.complete()
    },
  }
}
