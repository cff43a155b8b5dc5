// Tests `endWithLastClient`: the run ends when the last client leaves (docs/loop.md#26).
// A session without the option runs on.
import { Subject, mergeMap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { SessionsBackend } from '../../../lib/services/contract/server-backend.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { lineClient } from '../../support/line-client.ts'
import { playSession } from '../../support/virtual-session.ts'

const session = 'bbbbbbbbbbba'

/** A server, the client that created its one session, and a function that connects more clients. */
function served(requests: { endWithLastClient?: boolean }) {
  const host = fakeBackend()
  const server = createServer({ host, version: '1.0.0' })
  const first = lineClient(server)
  first.ask('new', { type: 'new_session', cwd: '/', ...requests })
  const attached = () => {
    const client = lineClient(server)
    client.ask('a', { type: 'attach', session })
    return client
  }
  return { host, first, attached, stopped: () => host.sessionsById.get(session)?.stopped }
}

describe('client_disconnected', () => {
  it('ends the run when the last client’s connection has ended [LOOP-26e]', () => {
    const { first, attached, stopped } = served({ endWithLastClient: true })
    const second = attached()
    first.close()
    expect(stopped()).toEqual([])
    second.close()
    expect(stopped()).toEqual(['client_disconnected'])
  })

  it('ends the run when the last client detaches', () => {
    const { first, stopped } = served({ endWithLastClient: true })
    first.ask('d', { type: 'detach', session })
    expect(stopped()).toEqual(['client_disconnected'])
    first.close()
    expect(stopped()).toHaveLength(1)
  })

  it('does not end the run while a client that attached twice is connected', () => {
    const { first, stopped } = served({ endWithLastClient: true })
    first.ask('a', { type: 'attach', session })
    first.ask('b', { type: 'attach', session })
    expect(stopped()).toEqual([])
  })

  it('applies only to sessions with endWithLastClient [LOOP-26e]', () => {
    const { first, attached, stopped } = served({})
    const second = attached()
    first.close()
    second.close()
    expect(stopped()).toEqual([])
  })

  it('applies again to later clients', () => {
    const { first, attached, stopped } = served({ endWithLastClient: true })
    first.close()
    attached().close()
    expect(stopped()).toEqual(['client_disconnected', 'client_disconnected'])
  })

  it('ends a user command that begins after all clients have left', () => {
    const { host, first, stopped } = served({ endWithLastClient: true })
    first.close()
    host.sessionsById.get(session)?.record({ type: 'job_start', jobId: 'abcdefg2', command: 'ls', by: 'client' })
    expect(stopped()).toEqual(['client_disconnected', 'client_disconnected'])
  })

  it('ends a run whose client left while the session was being opened', () => {
    const host = fakeBackend()
    lineClient(createServer({ host, version: '1.0.0' })).ask('new', { type: 'new_session', cwd: '/' })
    const opened$ = new Subject<void>()
    const open$: SessionsBackend['open'] = (command) => opened$.pipe(mergeMap(() => host.sessions.open(command)))
    const slow = { ...host, sessions: { ...host.sessions, open: open$ } }
    const server = createServer({ host: slow, version: '1.0.0' })
    const client = lineClient(server)
    client.ask('o', { type: 'open_session', session, cwd: '/', endWithLastClient: true })
    client.ask('p', { type: 'prompt', session, text: 'Hi' })
    client.close()
    opened$.next()
    const stored = host.sessionsById.get(session)
    expect(stored?.sent).toHaveLength(1)
    const before = stored?.stopped.length
    stored?.record({ type: 'agent_start', model: 'fake/model', tools: [], thinkingLevel: 'off' })
    expect(stored?.stopped).toHaveLength((before ?? 0) + 1)
    lineClient(server).ask('a', { type: 'attach', session })
    stored?.record({ type: 'agent_start', model: 'fake/model', tools: [], thinkingLevel: 'off' })
    expect(stored?.stopped).toHaveLength((before ?? 0) + 1)
  })

  it('is the run’s terminationReason, and has no effect without a run', () => {
    const played = playSession({
      script: [{ text: 'slow', delayMs: 100 }],
      prompt: 'Go',
      at: {
        10: ({ session: own }) => own.stop('client_disconnected'),
        50: ({ session: own }) => own.stop('client_disconnected'),
      },
    })
    expect(played.events.filter(({ type }) => type === 'agent_end')).toMatchObject([
      { terminationReason: 'client_disconnected' },
    ])
  })
})
