// Provides a client on one end of a linked pair; the test or a server is at the other end.
import { onTestFinished } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { connect } from '../../../lib/server/client/client.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import { embedServer } from '../../../lib/server/machine-server.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackendOptions } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import type { FakeSession, FakeSessionOptions } from '../../support/fake-session.ts'

export const id = 'aaaaaaaaaaaa'

interface Setup {
  readonly client: Client
  readonly session: FakeSession
}

export function setup(options: FakeBackendOptions = {}, own: FakeSessionOptions = {}): Setup {
  const host = fakeBackend(options)
  const session = fakeSession({ id, ...own })
  host.sessionsById.set(id, session)
  const { client } = embedServer({ host, version: '1' })
  client.request({ type: 'open_session', session: id, cwd: '/' }).subscribe()
  return { client, session }
}

/** A client; the test plays its server. */
export function clientWithoutServer(): { client: Client; server: Transport; sent: Record<string, unknown>[] } {
  const [clientEnd, server] = linkedPair()
  const sent: Record<string, unknown>[] = []
  server.lines$.subscribe((line) => {
    if ('text' in line) sent.push(JSON.parse(line.text) as Record<string, unknown>)
  })
  const client = connect(clientEnd)
  onTestFinished(client.close) // some clients get no greeting
  return { client, server, sent }
}

export function listen(client: Client, options = {}): { events: ClientEvent[]; ends: unknown[]; stop(): void } {
  const events: ClientEvent[] = []
  const ends: unknown[] = []
  const subscription = client.events$(id, options).subscribe({
    next: (event) => events.push(event),
    error: (error: unknown) => ends.push((error as Failure).code),
    complete: () => ends.push('complete'),
  })
  return { events, ends, stop: () => subscription.unsubscribe() }
}
