// Runs the calls of a batch side by side, as far as their locks allow.
// Guarantees: calls that clash never overlap, and run in call order.
import { Observable } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { isLockClash } from '../../streams/rx/named-locks.ts'
import type { ReadyCall, ScheduleOptions } from '../ports/call-scheduler.ts'
import { operate } from '../core/operate.ts'
import { trampoline } from '../../streams/rx/trampoline.ts'

/**
 * Starts each call as soon as no earlier unfinished call clashes with it; `mustSerial` clashes with all. After a stop
 * no further call starts: all waiting calls are skipped at once. An interrupted call is skipped when its turn has come.
 * Completes when every call has ended or was skipped. Buffers nothing. On unsubscribe all running calls are
 * unsubscribed.
 */
export function scheduleCalls(
  calls: readonly ReadyCall[],
  { execute, skip, isInterrupted = never, stop }: ScheduleOptions,
): Observable<AgentEvent> {
  return new Observable((subscriber) => {
    const running = new Set<ReadyCall>()
    let waiting = [...calls]

    const start = (call: ReadyCall): void => {
      running.add(call)
      execute(call).subscribe(
        operate({
          destination: subscriber,
          complete: () => {
            running.delete(call)
            drain()
          },
        }),
      )
    }
    const takeNextFree = (): ReadyCall | undefined => {
      const free = waiting.findIndex(
        (call, index) => !clashesWithAny(call, running) && !clashesWithAny(call, waiting, index),
      )
      return free < 0 ? undefined : waiting.splice(free, 1)[0]
    }
    const drain = trampoline(() => {
      if (subscriber.closed) return false
      const call = takeNextFree()
      if (call === undefined) {
        if (running.size === 0 && waiting.length === 0) subscriber.complete()
        return false
      }
      if (stop.reason === undefined && !isInterrupted()) start(call)
      else subscriber.next(skip(call))
      return true
    })
    const skipWaiting = (): void => {
      const skipped = waiting
      waiting = []
      for (const call of skipped) subscriber.next(skip(call))
      drain()
    }

    subscriber.add(stop.stop$.subscribe(skipWaiting))
    drain()
  })
}

function never(): boolean {
  return false
}

/** Compares with the first `most` of the others. */
function clashesWithAny(call: ReadyCall, others: Iterable<ReadyCall>, most = Infinity): boolean {
  let left = most
  for (const other of others) {
    if (left-- <= 0) return false
    if (isClash(call, other)) return true
  }
  return false
}

function isClash(left: ReadyCall, right: ReadyCall): boolean {
  if (left.tool.mustSerial === true || right.tool.mustSerial === true) return true
  return isLockClash(left.locks, right.locks)
}
