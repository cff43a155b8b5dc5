// Runs the steps of a session one after another: a step that another step starts runs after it.
import type { Observable } from 'rxjs'
import { fifo } from '../../streams/values/fifo.ts'
import { trampoline } from '../../streams/rx/trampoline.ts'

/**
 * Does not throw. An Observable that it returns holds the executor until it completes; it never emits and never fails.
 */
export type Step = () => Observable<never> | undefined

export interface SerialExecutor {
  /** Runs the step in this call, or after the steps that are under way. Does nothing after `close`. */
  run(step: Step): void
  /** Takes no more steps; `onEnd` is called once, after those that wait. */
  close(): void
}

/** Synchronous as long as no step holds it. */
export function serialExecutor(onEnd: () => void): SerialExecutor {
  const waiting = fifo<Step>()
  let isHeld = false
  let isClosed = false

  const drain = trampoline(() => {
    if (isHeld || waiting.size === 0) return false
    const held$ = waiting.take()()
    if (held$ !== undefined) hold(held$)
    return true
  })
  const hold = (held$: Observable<never>): void => {
    isHeld = true
    held$.subscribe({
      complete: () => {
        isHeld = false
        drain()
      },
    })
  }
  return {
    run: (step) => {
      if (isClosed) return
      waiting.put(step)
      drain()
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      waiting.put(() => {
        onEnd()
        return undefined
      })
      drain()
    },
  }
}
