// A connection as a stream of its frames, for tests that have the client's lines as a stream.
import { Observable } from 'rxjs'
import { connection } from '../../lib/server/connection/connection.ts'
import type { ServerContext } from '../../lib/server/connection/request-context.ts'
import type { IncomingLine } from '../../lib/server/protocol/transport.ts'
import { unhurried } from './unhurried.ts'

/** Cold; ends with the connection. */
export function framesOf(lines$: Observable<IncomingLine>, server: ServerContext): Observable<string> {
  return new Observable((subscriber) => {
    const send = (line: string): void => subscriber.next(line)
    return connection({ lines$, send, close: () => undefined, ...unhurried }, server).subscribe(subscriber)
  })
}
