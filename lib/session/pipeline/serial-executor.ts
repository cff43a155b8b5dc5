// Runs the steps of a session one after another: a step that a step causes runs behind it.
import type { Observable } from 'rxjs'
import { fifo } from '../../operators/core/trampoline.ts'

/** Does not throw. An Observable that it returns holds the executor until it completes; it never emits and never fails. */
export type Step = () => Observable<never> | undefined

export interface SerialExecutor {
  /** Runs the step in this call, or behind the steps that are under way. Does nothing after `close`. */
  run(step: Step): void
  /** Takes no more steps; `onEnd` is called behind those that wait. */
  close(): void
}

/** Synchronous as long as no step holds it. */
export function serialExecutor(onEnd: () => void): SerialExecutor {
  const waiting = fifo<Step>()
  let isBusy = false
  let isClosed = false

  const runWaiting = (): void => {
    isBusy = true
    while (waiting.size > 0) {
      const held$ = waiting.take()()
      if (held$ !== undefined && !completesNow(held$, runWaiting)) return
    }
    isBusy = false
    if (isClosed) onEnd()
  }
  return {
    run: (step) => {
      if (isClosed) return
      waiting.put(step)
      if (!isBusy) runWaiting()
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      if (!isBusy) onEnd()
    },
  }
}

/** Subscribes; returns false and calls `resume` later if the Observable does not complete in this call. */
function completesNow(held$: Observable<never>, resume: () => void): boolean {
  let isLater = false
  let isComplete = false
  held$.subscribe({
    complete: () => {
      isComplete = true
      if (isLater) resume()
    },
  })
  isLater = true
  return isComplete
}
