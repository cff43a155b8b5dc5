// Runs long synchronous work in short slices, so that other work runs in between.
import { Observable } from 'rxjs'

/** Milliseconds of one slice. */
const sliceMs = 8

/**
 * Emits what a generator yields, in order, and completes with it; a throw becomes the error. Yields to the event loop
 * after 8 ms of work. Cold; unsubscribing ends the generator.
 */
export function inSlices<Value>(begin: () => Generator<Value, void>): Observable<Value> {
  return new Observable((subscriber) => {
    const steps = begin()
    let pause: NodeJS.Immediate | undefined
    const runSlice = (): void => {
      const until = performance.now() + sliceMs
      try {
        while (!subscriber.closed) {
          const step = steps.next()
          if (step.done === true) {
            subscriber.complete()
            return
          }
          subscriber.next(step.value)
          if (performance.now() >= until) {
            pause = setImmediate(runSlice)
            return
          }
        }
      } catch (thrown) {
        subscriber.error(thrown)
      }
    }
    runSlice()
    return () => {
      clearImmediate(pause)
      steps.return()
    }
  })
}
