// A connection whose other end says nothing any more is noticed: it is asked for a sign of life now and then.
import { EMPTY, catchError, defer, exhaustMap, ignoreElements, interval, of, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Client } from './client.ts'
import type { Transport } from '../protocol/transport.ts'

/**
 * Sends a `ping` every `ms` milliseconds (below 2³¹; 0: never, and it completes), one at a time. Never emits; fails with
 * `disconnected` where one is not answered and nothing at all has been heard for as many: an answer may stand behind a line
 * that takes long. Buffers nothing.
 */
export function heartbeat(
  client: Pick<Client, 'request'>,
  { heard = () => 0 }: Pick<Transport, 'heard'>,
  ms: number,
): Observable<never> {
  if (ms === 0) return EMPTY
  const answered$ = client.request({ type: 'ping' }).pipe(
    catchError(() => of(undefined)), // also a refusal is a sign of life; why the connection ended is told elsewhere
  )
  return interval(ms).pipe(exhaustMap(() => silence(heard, ms).pipe(takeUntil(answered$))))
}

/** Never emits; fails where as much has been heard as `ms` ago. */
function silence(heard: () => number, ms: number): Observable<never> {
  return defer(() => {
    let before = heard()
    return interval(ms).pipe(
      tap(() => {
        const now = heard()
        if (now === before) throw new Failure('disconnected', `The server said nothing for ${ms} ms, asked for a ping`)
        before = now
      }),
      ignoreElements(),
    )
  })
}
