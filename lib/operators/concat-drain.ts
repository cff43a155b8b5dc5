// concatMap's semantics over a queue that is drained in a `while`: inners that complete synchronously never recurse.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { untilClosed } from './until-closed.ts'

/**
 * Maps each value to an inner Observable and subscribes to them one after the other, in order.
 *
 * Buffers all source values that wait (bound the source). Completes when the source has completed and the last inner too;
 * fails at once with the source's, an inner's or `project`'s error. On unsubscribe the current inner is unsubscribed and
 * what waits is dropped. Unlike `concatMap` (rxjs #7334) it delivers every item when inners complete synchronously behind
 * an asynchronous one.
 */
export function concatDrain<Value, Result>(
  project: (value: Value, index: number) => Observable<Result>,
): OperatorFunction<Value, Result> {
  return (source$) =>
    new Observable((subscriber) => {
      const bounded = untilClosed<Result>(subscriber)
      let waiting: Value[] = []
      let first = 0
      let index = 0
      let busy = false
      let draining = false
      let sourceEnded = false

      const drain = (): void => {
        if (draining) return
        draining = true
        while (!busy && first < waiting.length && !subscriber.closed) {
          busy = true
          subscribeTo(waiting[first++] as Value) // `first` was just checked; Value may include undefined
        }
        draining = false
        if (first === waiting.length) {
          waiting = []
          first = 0
          if (sourceEnded && !busy) subscriber.complete()
        }
      }
      const subscribeTo = (value: Value): void => {
        let inner$: Observable<Result>
        try {
          inner$ = project(value, index++)
        } catch (error) {
          subscriber.error(error)
          return
        }
        inner$.pipe(bounded).subscribe({
          next: (result) => {
            subscriber.next(result)
          },
          error: (error: unknown) => {
            subscriber.error(error)
          },
          complete: () => {
            busy = false
            drain()
          },
        })
      }

      subscriber.add(() => {
        waiting = []
        first = 0
      })
      source$.pipe(untilClosed(subscriber)).subscribe({
        next: (value) => {
          waiting.push(value)
          drain()
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          sourceEnded = true
          drain()
        },
      })
    })
}
