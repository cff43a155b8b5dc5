// Keeps programs inside sandboxes and exchanges of files with programs outside apart.
// Guarantees: no program runs inside while a file is exchanged; programs wait, exchanges do not begin.
import { Observable, Subject, defer, filter, of, switchMap, take } from 'rxjs'
import type { MonoTypeOperatorFunction, Unsubscribable } from 'rxjs'
import type { ConfinedEvent } from '../../../streams/ports/sandbox.ts'

// A client opens a file by its name, after the fence has checked the name. A program inside could put a link there meanwhile.

export interface ExchangeGate {
  /** The program counts as running until its `end`. It starts when no exchange is open. */
  program$(start$: Observable<ConfinedEvent>): Observable<ConfinedEvent>
  /** Undefined while a program runs or waits. Programs start when all exchanges are unsubscribed. */
  begin(): Unsubscribable | undefined
}

/** Milliseconds in which the processes of an unsubscribed program have ended: SIGKILL comes after 2 s. */
const endingMs = 3_000

export function exchangeGate(): ExchangeGate {
  let programs = 0
  let exchanges = 0
  const free$ = new Subject<void>()
  const isFree = (): boolean => exchanges === 0
  const leave = (): void => {
    programs -= 1
  }
  return {
    program$: (start$) =>
      defer(() => (isFree() ? of(undefined) : free$.pipe(filter(isFree), take(1)))).pipe(
        switchMap(() => start$),
        countWhile(() => (programs += 1), leave),
      ),
    begin: () => {
      if (programs > 0) return undefined
      exchanges += 1
      let isOpen = true
      return {
        unsubscribe: () => {
          if (!isOpen) return
          isOpen = false
          exchanges -= 1
          free$.next()
        },
      }
    },
  }
}

/** Counts until `end`, when no process is left. One that is unsubscribed before counts while its end may take. */
function countWhile(enter: () => void, leave: () => void): MonoTypeOperatorFunction<ConfinedEvent> {
  return (source$) =>
    new Observable((subscriber) => {
      enter()
      let hasEnded = false
      const end = (): void => {
        if (hasEnded) return
        hasEnded = true
        leave()
      }
      const own = source$.subscribe({
        next: (event) => {
          if (event.type === 'end') end() // the subscriber may unsubscribe with this value
          subscriber.next(event)
        },
        error: (error: unknown) => {
          end()
          subscriber.error(error)
        },
        complete: () => {
          end()
          subscriber.complete()
        },
      })
      return () => {
        own.unsubscribe()
        if (!hasEnded) setTimeout(leave, endingMs).unref()
      }
    })
}
