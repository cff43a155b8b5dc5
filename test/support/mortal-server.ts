// A server with one session whose process can end after any line, and starts again with the lines that it has written.
import { Observable, of, throwError, timer } from 'rxjs'
import { createServer } from '../../lib/server/create-server.ts'
import type { Server } from '../../lib/server/create-server.ts'
import { linkedPair } from '../../lib/server/protocol/linked-pair.ts'
import type { Transport } from '../../lib/server/protocol/transport.ts'
import type { Session } from '../../lib/session/contract/session.ts'
import type { SessionLog } from '../../lib/streams/ports/session-log.ts'
import { logOf } from './cut-log.ts'
import type { WrittenLine } from './cut-log.ts'
import { fakeBackend } from './fake-backend.ts'

export interface MortalServer {
  /** Every line that a living process has written. */
  readonly written: readonly WrittenLine[]
  /** How often a process has ended. */
  readonly deaths: number
  /** The session of the present process, if that has opened it. */
  readonly session: Session | undefined
  /** Connects a client; fails while no process runs. `lost$`: cuts this connection. */
  open(lost$: Observable<unknown>): Observable<Transport>
  /** Ends the process right after its next `lines` lines, within the call that writes the last of them. */
  killAfter(lines: number): void
  /** Ends the process at once. */
  kill(): void
  /** Closes the server, then starts another one. */
  restart(): void
}

interface Process {
  readonly server: Server
  readonly ends: Transport[]
  session?: Session
  isAlive: boolean
}

export interface MortalServerOptions {
  openSession(log: SessionLog): Session
  /** Milliseconds until the next process starts. */
  readonly downMs: number
}

export function mortalServer({ openSession, downMs }: MortalServerOptions): MortalServer {
  const written: WrittenLine[] = []
  let linesLeft = Infinity
  let deaths = 0
  let current: Process | undefined
  const end = (own: Process): void => {
    if (!own.isAlive) return
    own.isAlive = false
    if (current === own) current = undefined
    deaths += 1
    linesLeft = Infinity
    for (const connection of own.ends) connection.close()
    timer(downMs).subscribe(start)
  }
  const start = (): void => {
    const openSession$ = new Observable<{ session: Session; notices: [] }>((subscriber) => {
      own.session = openSession(recorded(own))
      subscriber.next({ session: own.session, notices: [] })
      subscriber.complete()
    })
    const host = fakeBackend({ commands: { openSession: () => openSession$ } })
    const own: Process = { server: createServer({ host, version: '1', restAfterMs: 0 }), ends: [], isAlive: true }
    current = own
  }
  /** What an ended process writes is lost. */
  const recorded = (own: Process): SessionLog => {
    const log = logOf(written)
    const { append, checkpoint } = log
    const record = (line: WrittenLine): void => {
      if (!own.isAlive) return
      written.push(line)
      linesLeft -= 1
      if (linesLeft <= 0) end(own)
    }
    log.append = (body) => {
      const line = append.call(log, body)
      record({ kind: 'append', body })
      return line
    }
    log.checkpoint = (body) => {
      checkpoint.call(log, body)
      record({ kind: 'checkpoint', body })
    }
    return log
  }
  start()
  return {
    written,
    get deaths() {
      return deaths
    },
    get session() {
      return current?.session
    },
    open: (lost$) => {
      if (current === undefined) return throwError(() => new Error('nobody listens'))
      const [clientEnd, serverEnd] = linkedPair()
      current.ends.push(serverEnd)
      lost$.subscribe(() => serverEnd.close())
      current.server.connect(serverEnd)
      return of(clientEnd)
    },
    killAfter: (lines) => {
      linesLeft = lines
    },
    kill: () => {
      if (current !== undefined) end(current)
    },
    restart: () => {
      const own = current
      own?.server.close().subscribe({ complete: () => end(own) })
    },
  }
}
