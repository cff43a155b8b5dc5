// Whatever is done to a session is one step: what a step causes waits until it has returned.
import { fifo } from '../../operators/core/trampoline.ts'

export interface StepQueue<Item> {
  /** Handles the item now, or behind the step that is under way. */
  put(item: Item): void
  /** The same for an act of the caller's own. After `close` it does nothing. */
  run(act: () => void): void
  /** Ends the queue behind the step that is under way. */
  close(): void
}

export interface StepHandlers<Item> {
  /** Does not throw. */
  handle(item: Item): void
  /** Told when the queue has ended. */
  ended(): void
}

/**
 * Steps one after the other, synchronously where none is under way. `Item` is no function. What `serialise` does behind a
 * Subject, in one call an item instead of nine: every delta crosses it.
 */
export function stepQueue<Item extends object>({ handle, ended }: StepHandlers<Item>): StepQueue<Item> {
  const waiting = fifo<Item | (() => void)>()
  let busy = false
  let closed = false

  const take = (step: Item | (() => void)): void => {
    if (typeof step === 'function') step()
    else handle(step)
  }
  const end = (): void => {
    if (closed) ended()
  }
  const put = (step: Item | (() => void)): void => {
    if (closed) return
    if (busy) {
      waiting.put(step)
      return
    }
    busy = true
    if (typeof step === 'function') step()
    else handle(step)
    while (waiting.size > 0) take(waiting.take())
    busy = false
    end()
  }
  return {
    put,
    run: put,
    close: () => {
      if (closed) return
      closed = true
      if (!busy) ended()
    },
  }
}
