// Provides a client in virtual time whose connections can be cut.
import { Observable, of, throwError, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { createServer } from '../../../lib/server/create-server.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { reconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ConnectOptions, ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import type { FakeSession } from '../../support/fake-session.ts'

export const id = 'aaaaaaaaaaaa'

interface Net {
  readonly client: ReconnectingClient
  readonly host: FakeBackend
  readonly session: FakeSession
  /** Every state of the connection, with its time. */
  readonly states: string[]
  cut(): void
  /** Starts another server with another epoch; the session stays the same. */
  restart(): void
  /** While true, no server accepts connections. */
  away(isAway: boolean): void
  readonly opened: number
}

/** A server behind linked pairs that can be cut. */
function createNet(now: () => number, more: Partial<ConnectOptions> = {}): Net {
  const host = fakeBackend()
  const session = fakeSession({ id })
  host.sessionsById.set(id, session)
  let server = createServer({ host, version: '1' })
  let end: Transport | undefined
  let isAway = false
  let opened = 0
  const client = reconnectingClient({
    open: () => {
      opened += 1
      if (isAway) return throwError(() => new Error('nobody listens'))
      const [clientEnd, serverEnd] = linkedPair()
      end = serverEnd
      server.connect(serverEnd)
      return of(clientEnd)
    },
    jitter: () => 1,
    ...more,
  })
  const states: string[] = []
  client.connection$.subscribe({
    next: (state) => {
      const detail = state.status === 'reconnecting' ? ` ${state.attempt}, ${state.delayMs} ms` : ''
      const restarted = state.status === 'connected' && state.restarted ? ' anew' : ''
      states.push(`${now()} ${state.status}${detail}${restarted}`)
    },
    complete: () => states.push(`${now()} complete`),
  })
  return {
    client,
    host,
    session,
    states,
    cut: () => end?.close(),
    restart: () => {
      server = createServer({ host, version: '1' })
      end?.close()
    },
    away: (is) => {
      isAway = is
    },
    get opened() {
      return opened
    },
  }
}

type Steps = Readonly<Record<number, () => void>>

/** Runs in virtual time; `steps` act at their milliseconds. Ends at `until`, where the client is closed. */
export function play(
  make: (net: Net) => Steps,
  { until = 1_000, ...more }: Partial<ConnectOptions> & { until?: number } = {},
): Net {
  const scheduler = new TestScheduler(() => undefined)
  return scheduler.run(() => {
    const own = createNet(() => scheduler.now(), more)
    for (const [at, act] of Object.entries(make(own))) timer(Number(at)).subscribe(act)
    timer(until).subscribe(() => {
      own.client.close()
    })
    return own
  })
}

export function collect<Value>(values$: Observable<Value>): { values: Value[]; ends: unknown[] } {
  const values: Value[] = []
  const ends: unknown[] = []
  values$.subscribe({
    next: (value) => values.push(value),
    error: (error: unknown) => ends.push((error as Failure).code),
    complete: () => ends.push('complete'),
  })
  return { values, ends }
}
