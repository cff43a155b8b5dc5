// Tests `close_session`, `delete_session` of an open session, and a server without file descriptors.
import { Subject, defer, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackendOptions } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import type { FakeSessionOptions } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'
import { valuesOf } from '../../support/values-of.ts'

const session = 'aaaaaaaaaaaa'
const open = { type: 'open_session', session, cwd: '/here', env: { KEY: 'k' } }
const close = { type: 'close_session', session }
const remove = { type: 'delete_session', session }
const begin: AgentEvent = { type: 'agent_start', model: 'x/y', tools: [], thinkingLevel: 'off' }
const end: AgentEvent = {
  type: 'agent_end',
  totalTurns: 0,
  usage: noUsage,
  durationMs: 1,
  terminationReason: 'completed',
}

function setup(options: FakeSessionOptions = {}, hostOptions: FakeBackendOptions = {}) {
  const removed: string[] = []
  const remove$ = ({ session: id }: { readonly session: string }) => {
    removed.push(id)
    return of({ removed: [`${id}.jsonl`] })
  }
  const host = fakeBackend({ commands: { deleteSession: remove$ }, ...hostOptions })
  const made = fakeSession({ id: session, cwd: '/here', ...options })
  host.sessionsById.set(session, made)
  const server = createServer({ host, version: '1', restAfterMs: 0 })
  const client = lineClient(server)
  const ask = (id: string, command: Record<string, unknown>, by = client): unknown => {
    by.ask(id, command)
    return by.answers(id)[0]
  }
  return { host, made, server, client, ask, removed }
}

const eventsOf = ({ frames }: LineClient): unknown[] =>
  frames.filter(({ type }) => type === 'event').map(({ event }) => event)

const busy = (message: string, data?: object): object => ({
  ok: false,
  error: { code: 'busy', message: expect.stringContaining(message) as string, ...(data === undefined ? {} : { data }) },
})

describe('close_session', () => {
  it('closes an idle session; only open_session opens it again [COMMAND-close_session]', () => {
    const { made, ask, host } = setup()
    ask('1', open)
    ask('2', { type: 'attach', session })
    expect(ask('3', close)).toMatchObject({ ok: true, result: { closed: true } })
    expect(made.isClosed).toBe(true)
    expect(ask('4', { type: 'prompt', session, text: 'Hi' })).toMatchObject({ error: { code: 'unknown_session' } })
    host.sessionsById.set(session, fakeSession({ id: session, cwd: '/here' }))
    expect(ask('5', open)).toMatchObject({ ok: true })
    expect(ask('6', { type: 'prompt', session, text: 'Hi' })).toMatchObject({ ok: true })
  })

  it('says that a session was not open here', () => {
    expect(setup().ask('1', close)).toMatchObject({ ok: true, result: { closed: false } })
  })

  it('refuses a session at work, and changes nothing [COMMAND-close_session]', () => {
    const { made, ask } = setup()
    ask('1', open)
    ask('2', { type: 'attach', session })
    made.record(begin, { runId: 'abcdefg3' })
    expect(ask('3', close)).toMatchObject(busy('has a run, a job or an open question'))
    made.record(end, { runId: 'abcdefg3' })
    made.record({ type: 'agent_settled' }, { runId: 'abcdefg3' })
    expect([made.isClosed, ask('4', close)]).toMatchObject([false, { result: { closed: true } }])
  })

  it('refuses a session with a running job, closing and deletion both [JOBS-session]', () => {
    const { made, ask } = setup()
    ask('1', open)
    made.record({ type: 'job_start', jobId: 'abcdefg2', command: 'npm run dev', by: 'tool' })
    expect(ask('2', close)).toMatchObject(busy('has a run, a job or an open question'))
    expect(ask('3', remove)).toMatchObject(busy('has a run, a job or an open question'))
    made.record({ type: 'job_end', jobId: 'abcdefg2', exitCode: 0, durationMs: 1 })
    expect(ask('4', close)).toMatchObject({ result: { closed: true } })
  })

  it('refuses a session that another client has open, until that client has left it', () => {
    const { server, client, made, ask } = setup()
    const other = lineClient(server)
    ask('1', open)
    ask('1', open, other)
    expect(ask('2', close)).toMatchObject(busy('Another client has session', { clients: 1 }))
    expect(ask('3', close, lineClient(server))).toMatchObject(busy('2 other clients have session', { clients: 2 }))
    ask('4', { type: 'detach', session }, other)
    expect(ask('5', close, client)).toMatchObject({ result: { closed: true } })
    expect(made.isClosed).toBe(true)
  })

  it('reports a log that could not be synced', () => {
    const { ask } = setup({ closeFails: new Failure('storage', 'disk full') })
    ask('1', open)
    expect(ask('2', close)).toMatchObject({ error: { code: 'storage', message: 'disk full' } })
  })

  it('closes a session whose log is lost, which the server then forgets', async () => {
    const lost = new Failure('storage', 'The log was removed')
    const { ask, made, server } = setup({ closeFails: lost, readOnly: lost })
    ask('1', open)
    made.record(begin, { runId: 'abcdefg3' })
    expect(ask('2', close)).toMatchObject({ result: { closed: true } })
    await expect(valuesOf(server.close())).resolves.toEqual([])
  })
})

describe('the shutdown of a server', () => {
  it('ends without a failure beside a session whose log is lost: its clients know [S24d]', async () => {
    const lost = new Failure('storage', 'The log was removed')
    const { ask, server } = setup({ closeFails: lost, readOnly: lost })
    ask('1', open)
    await expect(valuesOf(server.close())).resolves.toEqual([])
  })

  it('fails with a log that cannot be synced', async () => {
    const { ask, server } = setup({ closeFails: new Failure('storage', 'disk full') })
    ask('1', open)
    await expect(valuesOf(server.close())).rejects.toThrow('disk full')
  })
})

describe('delete_session', () => {
  it('closes a session first that is idle and without clients [COMMAND-delete_session]', () => {
    const { ask, made, removed, server } = setup()
    ask('1', open)
    ask('2', { type: 'detach', session })
    expect(ask('3', remove, lineClient(server))).toMatchObject({
      ok: true,
      result: { removed: [`${session}.jsonl`] },
    })
    expect([made.isClosed, removed]).toEqual([true, [session]])
  })

  it('closes an idle session that its own client has open and is attached to [COMMAND-delete_session]', () => {
    const { ask, client, made, removed } = setup()
    ask('1', open)
    ask('2', { type: 'attach', session })
    expect(ask('3', remove)).toMatchObject({ ok: true, result: { removed: [`${session}.jsonl`] } })
    expect([made.isClosed, removed]).toEqual([true, [session]])
    expect(eventsOf(client)).toEqual([]) // its own deletion is no news
    expect(ask('4', { type: 'prompt', session, text: 'Hi' })).toMatchObject({ error: { code: 'unknown_session' } })
  })

  it('sends its other attached clients a status, and closes before it deletes [COMMAND-delete_session]', () => {
    const { ask, server, made, removed } = setup()
    const [attached, joined] = [lineClient(server), lineClient(server)]
    ask('1', open)
    ask('1', { type: 'attach', session }, attached)
    ask('2', { type: 'attach', session, deltas: false }, joined)
    ask('3', remove)
    const status = { type: 'status', code: 'session_closed', recoverable: false }
    expect([attached, joined].map(eventsOf)).toMatchObject([[status], [status]])
    expect([made.isClosed, removed]).toEqual([true, [session]])
    expect(ask('4', { type: 'ping' }, attached)).toMatchObject({ ok: true })
  })

  it('refuses a session at work, and changes nothing [COMMAND-delete_session]', () => {
    const { ask, made, removed } = setup()
    ask('1', open)
    made.record(begin, { runId: 'abcdefg3' })
    expect(ask('2', remove)).toMatchObject(busy('has a run, a job or an open question'))
    expect([made.isClosed, removed]).toEqual([false, []])
  })

  it('leaves a session without a log open [COMMAND-delete_session]', () => {
    const { ask, made, host } = setup()
    host.stored.deleteSession = () => throwError(() => new Failure('unknown_session', 'There is no such session'))
    host.sessions.create = () => of({ session: made, notices: [] })
    ask('1', { type: 'new_session', cwd: '/here', store: false })
    expect(ask('2', remove)).toMatchObject({ error: { code: 'unknown_session' } })
    expect(made.isClosed).toBe(false)
  })

  it('opens nothing between the end of the session and its deletion', () => {
    const closing$ = new Subject<never>()
    const { ask, client, server, host } = setup({ closing$ })
    const other = lineClient(server)
    ask('1', open)
    ask('2', remove)
    ask('1', open, other)
    const opened = host.requests.length
    host.stored.deleteSession = () => {
      expect(host.requests).toHaveLength(opened)
      return of({ removed: [] })
    }
    closing$.complete()
    expect(client.answers('2')).toMatchObject([{ ok: true }])
    expect(host.requests.length).toBeGreaterThan(opened)
  })
})

describe('a server without file descriptors', () => {
  const short = new Failure('overloaded', 'too many files are open', { data: { errno: 'EMFILE' } })

  it('closes its idle sessions and tries once more [SOCKET-descriptors]', () => {
    const { host, made } = setup()
    const server = createServer({ host, version: '1', restAfterMs: 60_000 })
    const [first, other] = [lineClient(server), lineClient(server)]
    first.ask('1', open)
    first.close()
    const { create } = host.sessions
    host.sessions.create = (...command) => defer(() => (made.isClosed ? create(...command) : throwError(() => short)))
    other.ask('1', { type: 'new_session', cwd: '/here' })
    expect([made.isClosed, other.answers('1')]).toMatchObject([true, [{ ok: true }]])
  })

  it('answers `overloaded` if no session is idle, and closes none [SOCKET-descriptors]', () => {
    const { host, made, ask } = setup()
    ask('1', open)
    host.sessions.create = () => throwError(() => short)
    expect(ask('2', { type: 'new_session', cwd: '/here' })).toMatchObject({ error: { code: 'overloaded' } })
    expect(made.isClosed).toBe(false)
  })
})
