// Provides a server at one end of a linked pair, and the frames that it writes to the other.
import { expect } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import type { IncomingLine } from '../../../lib/server/protocol/transport.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackend, FakeBackendOptions } from '../../support/fake-backend.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'

export const session = 'bbbbbbbbbbba'

interface Setup {
  readonly host: FakeBackend
  readonly server: Server
  readonly client: LineClient
}

export function setup(options: FakeBackendOptions = {}): Setup {
  const host = fakeBackend(options)
  const server = createServer({ host, version: '1.0.0' })
  return { host, server, client: lineClient(server) }
}

/** The outcome of the one response with this id: an error code, or `ok`. */
export function outcome(client: LineClient, id: string | null): unknown {
  const answers = client.answers(id)
  expect(answers).toHaveLength(1)
  const [answer] = answers
  return answer?.['ok'] === true ? 'ok' : (answer?.['error'] as { code: string } | undefined)?.code
}

export function setupWithSession(options: FakeBackendOptions = {}): Setup {
  const all = setup(options)
  all.client.ask('new', { type: 'new_session', cwd: '/somewhere' })
  return all
}

export const requestLine = (id: string, command: object): IncomingLine => ({
  text: JSON.stringify({ v: 1, id, ...command }),
})

export function failOnStatus(): never {
  throw new Error('no test here asks for the status')
}
