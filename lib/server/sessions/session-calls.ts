// The unanswered commands of each session are counted while there are any: a name that somebody made up leaves nothing behind.
import { Observable } from 'rxjs'
import { boundedCalls } from '../protocol/bounded-calls.ts'
import type { BoundedCalls } from '../protocol/bounded-calls.ts'

export interface SessionCalls {
  /** The source, which counts as `BoundedCalls` says for this session. */
  bound<Value>(session: string, source$: Observable<Value>): Observable<Value>
  /** Whether a command of this session is unanswered. */
  isCalled(session: string): boolean
  /** Of how many sessions commands are unanswered. */
  readonly sessions: number
}

/** @param limit of one session, over all clients */
export function sessionCalls(limit: number): SessionCalls {
  const calls = new Map<string, BoundedCalls>()
  const callsOf = (session: string): BoundedCalls => {
    const known = calls.get(session) ?? boundedCalls(limit, `Session ${session}`)
    calls.set(session, known)
    return known
  }
  return {
    bound: (session, source$) =>
      new Observable((subscriber) => {
        const own = callsOf(session)
        const subscription = own.bound(source$).subscribe(subscriber)
        subscription.add(() => {
          if (own.open === 0 && calls.get(session) === own) calls.delete(session)
        })
        return subscription
      }),
    isCalled: (session) => calls.has(session),
    get sessions() {
      return calls.size
    },
  }
}
