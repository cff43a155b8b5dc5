// What a client asks to read is read one at a time, each when it took what it was sent: a thousand answers never wait in memory.
import { ReplaySubject, defer, finalize, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandType } from '../../streams/commands/command.ts'
import type { Pressure } from '../feed/feed.ts'

/** UTF-16 units: while more is unsent, no reading begins. */
const unsentLimit = 1_048_576

/** Commands whose answers may be large; all but these are answered however much waits. */
const readings: ReadonlySet<CommandType> = new Set<CommandType>([
  'export_session',
  'get_blob',
  'get_context',
  'get_entries',
  'get_tree',
  'list_sessions',
  'verify_session',
])

export interface ReadInTurn {
  /**
   * The work of a command, for a reading subscribed when those before it have ended and at most 1 MiB is unsent; other
   * commands' at once. It counts until it ends or is unsubscribed; one that waits is left out when it is unsubscribed.
   */
  bound<Value>(type: CommandType, work$: Observable<Value>): Observable<Value>
}

/** Of one connection; whoever has it bounds how many may wait, and calls nothing more when the connection has ended. */
export function readInTurn({ unsent, drained$ }: Pick<Pressure, 'unsent' | 'drained$'>): ReadInTurn {
  const waiting = new Set<ReplaySubject<void>>()
  let reading = false
  let isWoken = false
  const begin = (): void => {
    for (const turn$ of waiting) {
      if (reading) return // it begins the next when it ends
      if (unsent() > unsentLimit) {
        beginWhenTaken()
        return
      }
      waiting.delete(turn$)
      reading = true
      turn$.next()
    }
  }
  const beginWhenTaken = (): void => {
    if (isWoken) return
    isWoken = true
    drained$.pipe(take(1)).subscribe(() => {
      isWoken = false
      begin()
    })
  }
  const wait = <Value>(work$: Observable<Value>): Observable<Value> =>
    defer(() => {
      const turn$ = new ReplaySubject<void>(1)
      let began = false
      waiting.add(turn$)
      begin()
      return turn$.pipe(
        take(1),
        mergeMap(() => {
          began = true
          return work$
        }),
        finalize(() => {
          waiting.delete(turn$)
          if (!began) return
          reading = false
          queueMicrotask(begin) // a connection that ends unsubscribes all of them: none is begun for that
        }),
      )
    })
  return { bound: (type, work$) => (readings.has(type) ? wait(work$) : work$) }
}
