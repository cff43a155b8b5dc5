// Tests the open sessions of a server: shared opening, failures and closing.
import { EMPTY, Subject, defer, firstValueFrom, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Model } from '../../../lib/streams/models/model.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { SessionsBackend } from '../../../lib/services/contract/server-backend.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import type { FakeBackend, FakeBackendOptions } from '../../support/fake-backend.ts'
import { fakeModel, fakeSession } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'

const session = 'aaaaaaaaaaaa'

function setup(options: FakeBackendOptions = {}): { host: FakeBackend; client: LineClient; other: LineClient } {
  const host = fakeBackend(options)
  host.sessionsById.set(session, fakeSession({ id: session, cwd: '/here' }))
  const server = createServer({ host, version: '1' })
  return { host, client: lineClient(server), other: lineClient(server) }
}

const result = (client: LineClient, id: string): unknown => client.answers(id)[0]?.['result']
const error = (client: LineClient, id: string): unknown => client.answers(id)[0]?.['error']

describe('sessions of a server', () => {
  it('propose the open session with the nearest id [FIRST-nearest]', () => {
    const { client } = setup()
    client.ask('1', { type: 'open_session', session, cwd: '/here' })
    client.ask('2', { type: 'prompt', session: 'aaaaaaaabaaa', text: 'Hi' })
    client.ask('3', { type: 'prompt', session: 'zzzzzzzzzzzz', text: 'Hi' })
    expect([error(client, '2'), error(client, '3')]).toMatchObject([
      { code: 'unknown_session', message: expect.stringMatching(/or attach. Did you mean aaaaaaaaaaaa\?$/) as string },
      { code: 'unknown_session', message: expect.stringMatching(/or attach$/) as string },
    ])
  })

  it('are opened once for concurrent requests, and commands wait in order meanwhile [COMMAND-open_session]', () => {
    const ready$ = new Subject<void>()
    const { host, client, other } = setup({ ready$ })
    client.ask('1', { type: 'open_session', session, cwd: '/here' })
    other.ask('1', { type: 'attach', session })
    client.ask('2', { type: 'prompt', session, text: 'first' })
    other.ask('2', { type: 'steer', session, text: 'second' })
    expect(client.frames).toHaveLength(1)
    ready$.next()
    expect(host.requests).toEqual([{ open: { session, cwd: '/here' } }])
    expect(host.sessionsById.get(session)?.sent.map(({ command }) => command.type)).toEqual(['prompt', 'steer'])
    expect([client.answers('1'), client.answers('2'), other.answers('1'), other.answers('2')].flat()).toHaveLength(4)
  })

  it('fail for every waiting client if they cannot be opened, and can be opened later', () => {
    const { client, host } = setup()
    host.sessionsById.delete(session)
    client.ask('1', { type: 'attach', session })
    host.sessionsById.set(session, fakeSession({ id: session }))
    client.ask('2', { type: 'attach', session })
    expect([error(client, '1'), result(client, '2')]).toMatchObject([{ code: 'unknown_session' }, { head: 0 }])
  })

  it('tell an attaching client how to send a missing key', () => {
    const auth = new Failure('provider_error', 'Set OPENAI_API_KEY.', { data: { kind: 'auth' } })
    const { client } = setup({ commands: { openSession: () => throwError(() => auth) } })
    client.ask('1', { type: 'attach', session })
    client.ask('2', { type: 'open_session', session, cwd: '/here' })
    expect(error(client, '1')).toEqual({
      code: 'provider_error',
      message: `Set OPENAI_API_KEY. attach carries no environment: send open_session {session: "${session}", cwd, env} first, then attach`,
      data: { kind: 'auth' },
    })
    expect(error(client, '2')).toMatchObject({ message: 'Set OPENAI_API_KEY.' })
  })

  it('are opened even if the client that requested it disconnects', () => {
    const ready$ = new Subject<void>()
    const { host, client, other } = setup({ ready$ })
    client.ask('1', { type: 'new_session', cwd: '/here' })
    client.close()
    ready$.next()
    other.ask('1', { type: 'attach', session: 'bbbbbbbbbbbb' })
    expect(result(other, '1')).toMatchObject({ head: 0 })
    expect(host.requests).toHaveLength(1)
  })

  it('are found by folder: the latest one [COMMAND-open_session]', () => {
    const { client } = setup()
    client.ask('1', { type: 'open_session', cwd: '/here' })
    expect(result(client, '1')).toMatchObject({ session, header: { cwd: '/here' }, model: { id: 'model' } })
  })

  it('answer with line 1 in the order of its fields, so that its text is the line', () => {
    const { client, host } = setup()
    client.ask('1', { type: 'attach', session })
    const { header } = result(client, '1') as { header: object }
    expect(JSON.stringify(header)).toBe(host.sessionsById.get(session)?.headerLine)
  })

  it('answer with the backend’s notices', () => {
    const notices = [{ code: 'demo', message: 'not a language model' }]
    const { client } = setup({ notices })
    client.ask('1', { type: 'new_session', cwd: '/here' })
    expect(result(client, '1')).toMatchObject({ notices })
  })

  it('stay as they are when they are opened again, with a notice about options without effect', () => {
    const { client, other } = setup()
    client.ask('1', { type: 'open_session', session, cwd: '/here' })
    const options = { model: 'x/y', approve: 'auto', sandbox: 'off', trust: true, appendSystem: 'Be brief.' }
    other.ask('1', { type: 'open_session', session, cwd: '/here', ...options, instructions: false, unknown: 1 })
    expect(result(client, '1')).toMatchObject({ notices: [] })
    expect(result(other, '1')).toMatchObject({
      notices: [
        {
          code: 'already_open',
          message:
            'The session is open already, so these options have no effect: model, appendSystem, instructions, approve, sandbox, trust',
        },
      ],
    })
  })

  it('answer with the model of their next request, also after a change since they were opened [COMMAND-open_session]', () => {
    const { client, other, host } = setup()
    const open = { type: 'open_session', session, cwd: '/here' }
    let model: Model = fakeModel
    host.sessionsById.set(session, Object.defineProperty(fakeSession({ id: session }), 'model', { get: () => model }))
    client.ask('1', open)
    model = { ...fakeModel, id: 'other', contextWindow: 64_000 }
    other.ask('1', open)
    other.ask('2', { ...open, thinkingLevel: 'high' })
    expect([result(client, '1'), result(other, '1'), result(other, '2')]).toMatchObject([
      { model: fakeModel },
      { model },
      { model, notices: [{ code: 'already_open' }] },
    ])
  })

  it('are created once for one opId [COMMAND-new_session]', () => {
    const { client, other, host } = setup()
    const command = { type: 'new_session', cwd: '/here', opId: 'once' }
    client.ask('1', { ...command, env: { A: '1' } })
    other.ask('7', { ...command, env: { A: '2' } })
    other.ask('8', { ...command, cwd: '/there' })
    expect(result(client, '1')).toEqual(result(other, '7'))
    expect(error(other, '8')).toMatchObject({ code: 'bad_request' })
    expect(host.requests).toHaveLength(1)
  })

  it('that an earlier server created for the opId are found, open or not [COMMAND-new_session]', () => {
    const { client, other, host } = setup()
    host.sessionsById.set('cccccccccccc', fakeSession({ id: 'cccccccccccc', cwd: '/here', opId: 'once' }))
    client.ask('1', { type: 'new_session', cwd: '/here', model: 'x/y', opId: 'once' })
    other.ask('1', { type: 'new_session', cwd: '/here', model: 'x/y', opId: 'once' })
    expect(result(client, '1')).toMatchObject({ session: 'cccccccccccc', header: { opId: 'once' }, notices: [] })
    expect(result(other, '1')).toEqual(result(client, '1'))
    expect(host.requests).toEqual([{ open: { session: 'cccccccccccc', cwd: '/here', model: 'x/y' } }])
    host.sessionsById.set('dddddddddddd', fakeSession({ id: 'dddddddddddd', cwd: '/here', opId: 'twice' }))
    client.ask('2', { type: 'attach', session: 'dddddddddddd' })
    client.ask('3', { type: 'new_session', cwd: '/here', model: 'x/y', opId: 'twice' })
    expect(result(client, '3')).toMatchObject({ session: 'dddddddddddd', notices: [] })
  })

  it('that could not be created can be created again with the same opId, also with other fields', () => {
    const host = fakeBackend()
    const full$: SessionsBackend['create'] = () => throwError(() => new Failure('storage', 'full'))
    const attempts = [full$]
    const create$: SessionsBackend['create'] = (...call) => (attempts.shift() ?? host.sessions.create)(...call)
    const client = lineClient(
      createServer({
        host: { ...host, sessions: { ...host.sessions, create: create$ } },
        version: '1',
      }),
    )
    client.ask('1', { type: 'new_session', cwd: '/', opId: 'once' })
    client.ask('2', { type: 'new_session', cwd: '/there', opId: 'once' })
    client.ask('3', { type: 'new_session', cwd: '/', opId: 'once' })
    expect([error(client, '1'), result(client, '2'), error(client, '3')]).toMatchObject([
      { code: 'storage' },
      { header: { cwd: '/there' } },
      { code: 'bad_request' },
    ])
  })
})

describe('closing a server', () => {
  it('waits for the backend even if a session could not be closed', () => {
    const failing = fakeBackend({ session: { closeFails: new Failure('storage', 'disk full') } })
    const outcomes: string[] = []
    const close$ = () =>
      defer(() => {
        outcomes.push('host closed')
        return EMPTY
      })
    const server = createServer({ host: { ...failing, close: close$ }, version: '1' })
    lineClient(server).ask('1', { type: 'new_session', cwd: '/' })
    server.close().subscribe({ error: (error: unknown) => outcomes.push(Failure.from(error).message) })
    expect(outcomes).toEqual(['host closed', 'disk full'])
  })

  it('closes also the sessions that are being opened, then fails with the first failure', async () => {
    const ready$ = new Subject<void>()
    const host = fakeBackend({ ready$, session: { closeFails: new Failure('storage', 'disk full') } })
    host.sessionsById.set(session, fakeSession({ id: session }))
    const server = createServer({ host, version: '1' })
    const client = lineClient(server)
    client.ask('1', { type: 'new_session', cwd: '/' })
    client.ask('2', { type: 'open_session', session, cwd: '/' })
    const closed = firstValueFrom(server.close(), { defaultValue: 'closed' })
    client.ask('3', { type: 'new_session', cwd: '/' })
    expect(error(client, '3')).toMatchObject({ code: 'cancelled' })
    ready$.next()
    await expect(closed).rejects.toThrow('disk full')
    await expect(firstValueFrom(server.close(), { defaultValue: 'closed' })).rejects.toThrow('disk full')
    expect([...host.sessionsById.values()].map((each) => each.isClosed)).toEqual([true, true])
    expect(client.closed).toBe(true)
  })
})

describe('a session that replays another', () => {
  it('is joined like any other, is marked read-only, and is removed when it ends', () => {
    const over$ = new Subject<never>()
    const playing = fakeSession({ id: 'cccccccccccc' })
    const readOnly = new Failure('read_only', 'a replay')
    const { client, other } = setup({
      commands: { replaySession: () => of({ session: playing, notices: [], readOnly, over$ }) },
    })
    client.ask('1', { type: 'replay_session', session })
    expect(result(client, '1')).toMatchObject({
      session: 'cccccccccccc',
      readOnly: { code: 'read_only', message: 'a replay' },
    })
    other.ask('1', { type: 'attach', session: 'cccccccccccc' })
    expect(result(other, '1')).toMatchObject({ head: 0 })
    over$.complete()
    other.ask('2', { type: 'attach', session: 'cccccccccccc' })
    expect(error(other, '2')).toMatchObject({ code: 'unknown_session' })
    client.ask('2', { type: 'shutdown' })
    expect([result(client, '2'), playing.isClosed]).toEqual([{}, false])
  })
})
