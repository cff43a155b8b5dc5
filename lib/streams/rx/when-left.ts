// What was begun for an answer is undone where nobody waits for that answer any more.
import { defer, finalize, tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'

/** The source; calls `act` where it is unsubscribed before it has emitted, completed or failed. */
export function whenLeft<Value>(act: () => void): MonoTypeOperatorFunction<Value> {
  return (source$) =>
    defer(() => {
      let isOver = false
      const over = (): void => {
        isOver = true
      }
      return source$.pipe(
        tap({ next: over, complete: over, error: over }),
        finalize(() => {
          if (!isOver) act()
        }),
      )
    })
}
