// A server holds sessions and serves any number of connections; sessions go on without clients until it closes.
import { ReplaySubject, finalize, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { randomIds } from '../streams/ids.ts'
import type { SessionHost } from '../session/session-host.ts'
import { connection } from './connection.ts'
import { handlers } from './dispatch.ts'
import { helloFrame } from './frame.ts'
import { lineLimit } from './line-limit.ts'
import type { ServerContext } from './server-context.ts'
import { createSessions, unansweredLimit } from './sessions.ts'
import type { Transport } from './transport.ts'

export interface ServerOptions {
  readonly host: SessionHost
  /** What hello tells. */
  readonly version: string
}

export interface Server {
  /** Serves a client until either end closes; the transport is closed then, at once where the server has ended. */
  connect(transport: Transport): void
  /**
   * Opens no more sessions, closes all (a run ends with `server_shutdown`), then ends every connection. Completes when
   * nothing is left behind; fails with the first failure (`storage` …) after that. A second call waits for the same.
   */
  close(): Observable<never>
}

export function createServer({ host, version }: ServerOptions): Server {
  const sessions = createSessions(host)
  const ended$ = new ReplaySubject<void>(1)
  const hello = helloFrame({
    server: { name: 'rxpi', version, pid: process.pid, epoch: randomIds().short() },
    limits: { lineBytes: lineLimit, sessionCommands: unansweredLimit },
    capabilities: Object.keys(handlers),
  })
  const end = (): void => {
    ended$.next()
  }
  const context: ServerContext = { host, sessions, hello, end }
  return {
    connect(transport) {
      const close = (): void => {
        transport.close()
      }
      connection(transport.lines$, context)
        .pipe(takeUntil(ended$))
        .subscribe({
          next: (frame) => {
            transport.send(frame)
          },
          // the other end is gone, or was told why
          error: close,
          complete: close,
        })
    },
    close() {
      return sessions.close().pipe(finalize(end))
    },
  }
}
