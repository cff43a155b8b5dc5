// Keeps programs inside sandboxes and exchanges of files with programs outside apart.
// Guarantees: no program runs inside while a file is exchanged; programs wait, exchanges do not begin.
import { Observable, Subject, defer, filter, of, switchMap, take } from 'rxjs'
import type { Unsubscribable } from 'rxjs'

// A client opens a file by its name, after the fence has checked the name. A program inside could put a link there meanwhile.

export interface ExchangeGate {
  /** The program counts as running while it is subscribed. It starts when no exchange is open. */
  program$<Value>(start$: Observable<Value>): Observable<Value>
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

/** An unsubscribed source counts until its processes have ended. */
function countWhile(enter: () => void, leave: () => void) {
  return <Value>(source$: Observable<Value>): Observable<Value> =>
    new Observable((subscriber) => {
      enter()
      let hasEnded = false
      const end = (): void => {
        hasEnded = true
        leave()
      }
      const own = source$.subscribe({
        next: (value) => subscriber.next(value),
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
