// Tests a server of a program's own sessions: it joins, lists and closes them, and refuses what belongs to a machine.
import { Subject, from, lastValueFrom, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { eventsOf } from '../../../lib/server/client/events-of.ts'
import { handlers } from '../../../lib/server/connection/dispatch.ts'
import { embedServer } from '../../../lib/server/machine-server.ts'
import type { EmbeddedServer } from '../../../lib/server/machine-server.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { machineCommands } from '../../../lib/services/backend/machine-commands.ts'
import type { ListedSession, ProgramSessions } from '../../../lib/services/contract/program-sessions.ts'
import type { Command } from '../../../lib/streams/commands/command.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'
import { sampleCommands } from '../../streams/commands/sample-commands.ts'

const store = memoryStore()
const model = { model: scriptedModel, provider: scripted(() => 'Hello') }
const make = (more: Partial<Parameters<typeof createSession>[0]> = {}): Session =>
  createSession({ model, cwd: '/', env: {}, tools: [], system: '', store, ...more })

/** A server of these sessions; the test closes it. */
function serving(sessions: ProgramSessions, restAfterMs?: number): EmbeddedServer & AsyncDisposable {
  const embedded = embedServer({ sessions, version: '1', restAfterMs })
  return {
    ...embedded,
    [Symbol.asyncDispose]: async () => {
      await resultOf(embedded.client.request({ type: 'shutdown' }))
      embedded.client.close()
    },
  }
}

const closed = (close$: Observable<never>) => lastValueFrom(close$, { defaultValue: undefined })
const newSession = { type: 'new_session', cwd: '/somewhere' } as const

const patient = { timeout: 15_000 }

describe('a server of own sessions', () => {
  it.each([
    ['undefined', undefined],
    ['a text', 'session'],
    ['an object', { id: 'a' }],
  ])('refuses %s of a create without types, and names the create', async (_, value) => {
    await using served = serving({ create: () => value as never })
    await expect(resultOf(served.client.request(newSession))).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('The create of this server returned no session') as string,
    })
  })

  it('refuses another session than the one to open, and a list that is none', async () => {
    const other = make()
    await using served = serving({ create: () => make(), open: () => other, list: () => 'rows' as never })
    const command = { type: 'open_session', session: 'zzzzzzzzzzzz', cwd: '/' } as const
    await expect(resultOf(served.client.request(command))).rejects.toMatchObject({
      code: 'internal',
      message: `The open of this server returned session ${other.id} in place of zzzzzzzzzzzz`,
    })
    await expect(resultOf(served.client.request({ type: 'list_sessions' }))).rejects.toMatchObject({
      message: 'The list of this server returned no array of rows',
    })
    await closed(other.close())
  })

  it.each<[string, () => ReturnType<ProgramSessions['create']>]>([
    ['at once', () => make()],
    ['as an Observable', () => of(make())],
    ['as a promise', () => Promise.resolve(make())],
    // a database's library can have promises of its own
    ['as a thenable', () => ({ then: (resolve: (session: Session) => void) => resolve(make()) }) as never],
  ])('serves a session that is created %s', async (_, create) => {
    await using served = serving({ create })
    const { session } = await resultOf(served.client.request(newSession))
    const events: string[] = []
    const listening = served.client
      .events$(session)
      .pipe(eventsOf())
      .subscribe(({ type }) => events.push(type))
    await resultOf(served.client.request({ type: 'prompt', session, text: 'Hi' }))
    await expect.poll(() => events.at(-1), patient).toBe('agent_settled')
    listening.unsubscribe()
    expect((await resultOf(served.client.request({ type: 'get_state', session }))).header.cwd).toBe('/')
  })

  it('passes the command on, and its failure or throw back', async () => {
    const commands: unknown[] = []
    const refusal = new Failure('not_allowed', 'Not today')
    let count = 0
    await using served = serving({
      create: (command) => {
        commands.push(command)
        if (count++ === 0) throw refusal
        return throwError(() => refusal)
      },
    })
    for (let request = 0; request < 2; request++) {
      const sent$ = served.client.request({ ...newSession, model: 'a/b' })
      await expect(resultOf(sent$)).rejects.toMatchObject({ code: 'not_allowed', message: 'Not today' })
    }
    expect(commands).toEqual([1, 2].map(() => ({ cwd: '/somewhere', model: 'a/b' })))
  })

  it('creates one session for a repeated opId', async () => {
    let count = 0
    await using served = serving({ create: () => (count++, make()) })
    const ids = [1, 2].map(() => resultOf(served.client.request(newSession, { opId: 'once' })))
    const [first, second] = await Promise.all(ids)
    expect([first?.session, count]).toEqual([second?.session, 1])
  })

  it('opens a stored session, and joins an open one', async () => {
    const { id, close } = make()
    await closed(close())
    await using served = serving({ create: () => make(), open: ({ session }) => make({ sessionId: session }) })
    const opened = await resultOf(served.client.request({ type: 'open_session', session: id, cwd: '/' }))
    const joined = await resultOf(served.client.request({ type: 'open_session', session: id, cwd: '/' }))
    expect([opened.session, joined.session]).toEqual([id, id])
  })

  it.each<[string, ProgramSessions['open']]>([
    ['open returns undefined', () => undefined],
    ['open emits undefined', () => of(undefined)],
    ['open completes', () => from([])],
    ['there is no open', undefined],
  ])('knows no session if %s', async (_, open) => {
    await using served = serving({ create: () => make(), ...(open === undefined ? {} : { open }) })
    for (const type of ['open_session', 'get_state', 'rename_session', 'list_tools'] as const) {
      const sent = { type, session: 'abcdefghijkl', cwd: '/', title: 'x' } as Command
      await expect(resultOf(served.client.request(sent))).rejects.toMatchObject({ code: 'unknown_session' })
    }
  })

  it('forgets a session that the program closes', async () => {
    const session = make()
    await using served = serving({ create: () => session })
    await resultOf(served.client.request(newSession))
    await closed(session.close())
    const sent$ = served.client.request({ type: 'list_tools', session: session.id })
    await expect(resultOf(sent$)).rejects.toMatchObject({ code: 'unknown_session' })
  })

  it('closes a session whose client has gone before it was created', async () => {
    const late$ = new Subject<Session>()
    const session = make()
    let isClosed = false
    session.events$.subscribe({ complete: () => (isClosed = true) })
    {
      await using served = serving({ create: () => late$ })
      served.client.request(newSession).subscribe().unsubscribe()
      late$.next(session)
    }
    expect(isClosed).toBe(true)
  })

  it('closes an idle session after restAfterMs, and opens it again for the next command', async () => {
    let ended = 0
    const counted = (session: Session): Session => {
      session.events$.subscribe({ complete: () => (ended += 1) })
      return session
    }
    const open$: ProgramSessions['open'] = ({ session }) => counted(make({ sessionId: session }))
    await using served = serving({ create: () => counted(make()), open: open$ }, 1)
    const { session } = await resultOf(served.client.request(newSession))
    await resultOf(served.client.request({ type: 'detach', session }))
    await expect.poll(() => ended, patient).toBe(1)
    expect((await resultOf(served.client.request({ type: 'list_tools', session }))).tools).not.toEqual([])
  })

  const rows: readonly ListedSession[] = [
    { id: 'aaaaaaaaaaaa', createdAt: 1, cwd: '/a', title: 'old' },
    { id: 'bbbbbbbbbbbb', createdAt: 2, updatedAt: 9, cwd: '/b' },
    { id: 'cccccccccccc', createdAt: 3, cwd: '/a', messages: 0 },
  ]
  it.each<[object, readonly string[], number]>([
    [{ all: true }, ['b', 'c', 'a'], 3],
    [{ cwd: '/a' }, ['c', 'a'], 2],
    [{ cwd: '/a', all: true }, ['b', 'c', 'a'], 3],
    [{ all: true, limit: 1 }, ['b'], 3],
    [{ all: true, limit: 2, after: 'bbbbbbbbbbbb' }, ['c', 'a'], 3],
    [{ all: true, includeEmpty: false }, ['b', 'a'], 2],
    [{ all: true, text: 'OLD' }, ['a'], 1],
  ])('lists sessions for %j', async (query, ids, total) => {
    await using served = serving({ create: () => make(), list: () => of(rows) })
    const result = await resultOf(served.client.request({ type: 'list_sessions', ...query }))
    expect(result.sessions.map(({ id }) => id.charAt(0))).toEqual(ids)
    expect([result.total, result.more]).toEqual([total, ids.length < total && !('after' in query)])
  })

  it('fills the rows of a list, and opens the latest of a folder', async () => {
    const { id, close } = make()
    await closed(close())
    await using served = serving({
      create: () => make(),
      open: ({ session }) => make({ sessionId: session }),
      list: () => [{ id, createdAt: 5, cwd: '/' }],
    })
    const { sessions } = await resultOf(served.client.request({ type: 'list_sessions', all: true }))
    expect(sessions).toEqual([{ id, createdAt: 5, updatedAt: 5, cwd: '/', size: 0, file: '', isLatest: true }])
    expect((await resultOf(served.client.request({ type: 'open_session', cwd: '/' }))).session).toBe(id)
  })

  it.each(machineCommands)('refuses %s, and leaves it out of hello', async (type) => {
    await using served = serving({ create: () => make() })
    const { capabilities } = await resultOf(served.client.hello$)
    expect(capabilities).not.toContain(type)
    await expect(resultOf(served.client.request({ type, ...sampleCommands[type] } as Command))).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('answers every other command, and names it in hello', async () => {
    await using served = serving({ create: () => make(), list: () => [] })
    const { capabilities } = await resultOf(served.client.hello$)
    const refused = new Set<string>(machineCommands)
    expect(capabilities).toEqual(Object.keys(handlers).filter((command) => !refused.has(command)))
    await using unlisted = serving({ create: () => make() })
    const sent$ = unlisted.client.request({ type: 'list_sessions' })
    await expect(resultOf(sent$)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it.each([
    ['no sessions', {}],
    ['sessions without create', { sessions: {} }],
    ['restAfterMs without open', { sessions: { create: () => make() }, restAfterMs: 5 }],
  ])('is not made with %s', (_, options) => {
    expect(() => embedServer(options as Parameters<typeof embedServer>[0])).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    )
  })
})
