// A time limit that stands still while somebody else is waited for.
import { NEVER, Observable, asyncScheduler, timer } from 'rxjs'
import type { Subscription } from 'rxjs'

/**
 * Emits once when `limitMs` are over, and completes; never where that is 0. Cold: each subscription counts anew. While the last
 * of `waiting$` is true the time stands still; its end and its errors change nothing. Without it the time only runs.
 */
export function waitingLimit(limitMs: number, waiting$?: Observable<boolean>): Observable<unknown> {
  if (limitMs === 0) return NEVER
  if (waiting$ === undefined) return timer(limitMs)
  return new Observable((subscriber) => {
    let left = limitMs
    let since = asyncScheduler.now()
    let armed: Subscription | undefined
    const arm = (): void => {
      if (armed !== undefined) return
      since = asyncScheduler.now()
      armed = asyncScheduler.schedule(over, left)
    }
    const stand = (): void => {
      if (armed === undefined) return
      left = Math.max(0, left - (asyncScheduler.now() - since))
      armed.unsubscribe()
      armed = undefined
    }
    const over = (): void => {
      subscriber.next(undefined)
      subscriber.complete()
    }
    arm()
    subscriber.add(() => armed?.unsubscribe())
    subscriber.add(waiting$.subscribe({ next: (isWaiting) => (isWaiting ? stand() : arm()), error: () => undefined }))
  })
}
