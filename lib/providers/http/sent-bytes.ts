// What an SDK sends is given up with its consumer, and its answer is read as an event stream.
import { concatMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { eventStreamBytes } from './event-stream-bytes.ts'

/** Sends; emits the answer's bytes as `eventStreamBytes` does. Unsubscribing aborts the signal, or cancels the body. */
export function sentBytes(provider: string, send: (signal: AbortSignal) => Promise<Response>): Observable<Uint8Array> {
  return fromAbortable(send).pipe(concatMap((response) => eventStreamBytes(provider, response)))
}
