// Lets the runs of a session start one after the other: decides when the next may start.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { ActiveRun } from './session-core.ts'

export interface RunLine {
  /** True if a run waits for the one that is on. */
  readonly hasWaiting: () => boolean
  /**
   * Emits once when a run may start, in the subscription if none is on, and completes. With `replaces` it stops the run that is
   * on and goes first; an earlier one that replaces and still waits completes without a value. Start the run in the `next`.
   */
  enter(options: { readonly replaces: boolean }): Observable<true>
}

interface RunLineParts {
  readonly activeRun: ActiveRun
  readonly records$: Observable<SessionRecord>
}

interface Waiter {
  readonly replaces: boolean
  readonly subscriber: Subscriber<true>
}

/** Buffers one entry for each subscription that waits. */
export function runLine({ activeRun, records$ }: RunLineParts): RunLine {
  let waiting: readonly Waiter[] = []
  const leave = (waiter: Waiter): void => {
    waiting = waiting.filter((each) => each !== waiter)
  }
  const stopReplaced = (): void => {
    if (waiting[0]?.replaces === true) activeRun.running?.stop.stop('aborted')
  }
  const advance = (): void => {
    while (activeRun.running === undefined) {
      const [waiter] = waiting
      if (waiter === undefined) return
      leave(waiter)
      waiter.subscriber.next(true)
      waiter.subscriber.complete()
    }
    stopReplaced() // another command has started a run first
  }
  const join = (waiter: Waiter): void => {
    if (!waiter.replaces) {
      waiting = [...waiting, waiter]
      return
    }
    const replaced = waiting.filter(({ replaces }) => replaces)
    waiting = [waiter, ...waiting.filter(({ replaces }) => !replaces)]
    for (const { subscriber } of replaced) subscriber.complete()
    stopReplaced()
  }
  records$.subscribe(({ event }) => {
    if (event.type === 'agent_settled') advance()
  })
  return {
    hasWaiting: () => waiting.length > 0,
    enter: ({ replaces }) =>
      new Observable((subscriber) => {
        if (activeRun.running === undefined) {
          subscriber.next(true)
          subscriber.complete()
          return
        }
        const waiter = { replaces, subscriber }
        subscriber.add(() => {
          leave(waiter)
        })
        join(waiter)
      }),
  }
}
