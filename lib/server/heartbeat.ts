// A connection whose other end says nothing any more is noticed: it is asked for a sign of life now and then.
import { EMPTY, catchError, exhaustMap, ignoreElements, interval, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../streams/failure.ts'
import type { Client } from './client.ts'

/**
 * Sends a `ping` every `ms` milliseconds (below 2³¹; 0: never, and it completes), one at a time. Never emits; fails with
 * `disconnected` where one was not answered in as many. Buffers nothing.
 */
export function heartbeat(client: Pick<Client, 'request'>, ms: number): Observable<never> {
  if (ms === 0) return EMPTY
  const late$ = throwError(() => new Failure('disconnected', `The server did not answer a ping within ${ms} ms`))
  const asked$ = client.request({ type: 'ping' }).pipe(
    catchError(() => EMPTY), // also a refusal is a sign of life; why the connection ended is told elsewhere
    timeout({ first: ms, with: () => late$ }),
    ignoreElements(),
  )
  return interval(ms).pipe(exhaustMap(() => asked$))
}
