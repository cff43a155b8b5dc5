// Whatever is done to a session is one step: what a step causes waits until it has returned.
import { Subject } from 'rxjs'
import { serialise } from '../operators/serialise.ts'

export interface StepQueue<Item> {
  /** Handles the item now, or behind the step that is under way. */
  put(item: Item): void
  /** The same for an act of the caller's own. After `close` it does nothing. */
  run(act: () => void): void
  /** Ends the queue behind the step that is under way. */
  close(): void
}

export interface StepHandlers<Item> {
  handle(item: Item): void
  /** Told when the queue has ended. */
  ended(): void
}

/** Steps one after the other, synchronously where none is under way. `Item` is no function. */
export function stepQueue<Item extends object>({ handle, ended }: StepHandlers<Item>): StepQueue<Item> {
  const step$ = new Subject<Item | (() => void)>()
  step$.pipe(serialise()).subscribe({
    next: (step) => {
      if (typeof step === 'function') step()
      else handle(step)
    },
    complete: ended,
  })
  return {
    put: (item) => {
      step$.next(item)
    },
    run: (act) => {
      step$.next(act)
    },
    close: () => {
      step$.complete()
    },
  }
}
