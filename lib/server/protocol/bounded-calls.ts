// So many calls may be unanswered at a time; the next one is refused at once, not queued.
import { defer, finalize, throwError, Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

export interface BoundedCalls {
  /** How many are unanswered now. */
  readonly open: number
  /**
   * The source, which counts from its subscription to its end (also by unsubscribing). Where the limit is reached, it fails
   * with `overloaded` instead and the source is not subscribed.
   */
  bound<Value>(source$: Observable<Value>): Observable<Value>
}

/** @param owner who has the calls, as the error names it */
export function boundedCalls(limit: number, owner: string): BoundedCalls {
  let open = 0
  const leave = (): void => {
    open -= 1
  }
  return {
    get open() {
      return open
    },
    bound: (source$) =>
      defer(() => {
        if (open >= limit) return throwError(() => overloaded(limit, owner))
        open += 1
        return source$.pipe(finalize(leave))
      }),
  }
}

function overloaded(limit: number, owner: string): Failure {
  return new Failure('overloaded', `${owner} has ${limit} unanswered commands; send more when some have been answered`)
}

// The unanswered commands of each session are counted while there are any: a name that somebody made up leaves nothing behind.

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
