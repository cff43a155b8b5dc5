// Bounds the number of unanswered calls: one more is refused at once, not queued.
import { defer, finalize, throwError, Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

export interface BoundedCalls {
  /** The number of unanswered calls. */
  readonly open: number
  /**
   * Counts the source from its subscription until it ends or is unsubscribed. At the limit, fails with `overloaded` and
   * does not subscribe to the source.
   */
  bound<Value>(source$: Observable<Value>): Observable<Value>
}

/** @param owner names the caller in the error */
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

export interface SessionCalls {
  /** Bounds a source of this session; see `BoundedCalls`. */
  bound<Value>(session: string, source$: Observable<Value>): Observable<Value>
  /** Whether the session has an unanswered command. */
  hasCalls(session: string): boolean
  /** The number of sessions with unanswered commands. */
  readonly sessions: number
}

/**
 * Counts per session, and only while there are calls: an unknown name leaves nothing behind.
 * @param limit of one session, over all clients
 */
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
    hasCalls: (session) => calls.has(session),
    get sessions() {
      return calls.size
    },
  }
}
