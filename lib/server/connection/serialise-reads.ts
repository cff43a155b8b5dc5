// Serialises a client's large reads: each waits until the client has taken the previous answer.
// Guarantees: at most one large answer and 1 MiB of unsent lines wait in memory for a connection.
import { ReplaySubject, defer, finalize, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandType } from '../../streams/commands/command.ts'
import type { Pressure } from '../feed/feed.ts'

/** UTF-16 units: no read begins while more is unsent. */
const unsentLimit = 1_048_576

/** Commands with large answers; all others are answered however much is unsent. */
const readCommands: ReadonlySet<CommandType> = new Set<CommandType>([
  'export_session',
  'get_blob',
  'get_context',
  'get_entries',
  'get_tree',
  'list_sessions',
  'verify_session',
])

export interface ReadSerialiser {
  /**
   * Returns the command's work. A read is subscribed when the reads before it have ended and at most 1 MiB is unsent;
   * other commands at once. A read counts until it ends or is unsubscribed; unsubscribing a waiting read removes it
   * from the queue.
   */
  bound<Value>(type: CommandType, work$: Observable<Value>): Observable<Value>
}

/** For one connection. The caller bounds how many reads may wait. */
export function serialiseReads({ unsent, drained$ }: Pick<Pressure, 'unsent' | 'drained$'>): ReadSerialiser {
  const waiting = new Set<ReplaySubject<void>>()
  let isReading = false
  let isAwaitingDrain = false
  const beginNext = (): void => {
    for (const turn$ of waiting) {
      if (isReading) return // the next read begins when this one ends
      if (unsent() > unsentLimit) {
        beginWhenDrained()
        return
      }
      waiting.delete(turn$)
      isReading = true
      turn$.next()
    }
  }
  const beginWhenDrained = (): void => {
    if (isAwaitingDrain) return
    isAwaitingDrain = true
    drained$.pipe(take(1)).subscribe(() => {
      isAwaitingDrain = false
      beginNext()
    })
  }
  const wait = <Value>(work$: Observable<Value>): Observable<Value> =>
    defer(() => {
      const turn$ = new ReplaySubject<void>(1)
      let hasBegun = false
      waiting.add(turn$)
      beginNext()
      return turn$.pipe(
        take(1),
        mergeMap(() => {
          hasBegun = true
          return work$
        }),
        finalize(() => {
          waiting.delete(turn$)
          if (!hasBegun) return
          isReading = false
          queueMicrotask(beginNext) // a connection that ends unsubscribes all waiting reads first, so that none begins
        }),
      )
    })
  return { bound: (type, work$) => (readCommands.has(type) ? wait(work$) : work$) }
}
