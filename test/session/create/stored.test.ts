// Tests sessions on files: the lock, opening failures, torn last lines and damaged logs.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-stored-'))
})
afterEach(() => rmSync(home, { recursive: true }))

function create(more: CreateSessionOptions = {}): Session {
  const model = { model: scriptedModel, provider: scripted(['Hello', 'again']) }
  return createSession({ model, cwd: home, env: {}, tools: [], store: fileStore({ home }), ...more })
}

const prompt = (session: Session) => valuesOf(session.send({ type: 'prompt', text: 'Hi' }))
const close = (session: Session) => valuesOf(session.close())
const code = (expected: string): unknown => expect.objectContaining({ code: expected })

function logFile(): string {
  const [folder = ''] = readdirSync(path.join(home, 'sessions'))
  const [name = ''] = readdirSync(path.join(home, 'sessions', folder))
  return path.join(home, 'sessions', folder, name)
}

describe('a stored session', () => {
  it('is open in one place at a time', async () => {
    const session = create()
    await prompt(session)
    expect(() => create({ sessionId: session.id })).toThrow(code('session_locked'))
    await close(session)
    const again = create({ sessionId: session.id })
    expect(transcript(again.state$.value)).toHaveLength(2)
    await close(again)
  })

  it('that could not be opened is released', async () => {
    const session = create()
    await prompt(session)
    await close(session)
    expect(() => create({ sessionId: session.id, model: 'nobody/nothing' })).toThrow(code('bad_request'))
    await expect.poll(() => existsSync(`${logFile()}.lock`), { timeout: 10_000 }).toBe(false)
    await close(create({ sessionId: session.id }))
  })

  it('that a server could not open is released before the error response', async () => {
    const session = create()
    await prompt(session)
    await close(session)
    const host = createServerBackend({ env: { RXPI_HOME: home, HOME: home }, version: '0' })
    const setup = { session: session.id, cwd: '/', env: {} }
    await expect(valuesOf(host.sessions.open({ ...setup, model: 'nobody/nothing' }))).rejects.toEqual(
      code('bad_request'),
    )
    for (const { session: opened } of await valuesOf(host.sessions.open({ ...setup, model: 'demo/guide' }))) {
      expect(transcript(opened.state$.value)).toHaveLength(2)
      await close(opened)
    }
    expect.assertions(2)
  })

  it('names the server that holds it, and its socket, to another writer [LOG-lock]', async () => {
    const env = { RXPI_HOME: home, HOME: home }
    const host = createServerBackend({ env, version: '0', socket: '/run/user/1/rxpi/rxpi.sock' })
    const [opened] = await valuesOf(host.sessions.create({ cwd: home, env: {}, model: 'demo/guide' }))
    const { session } = opened ?? expect.unreachable('no session was made')
    expect(() => create({ sessionId: session.id })).toThrow(
      expect.objectContaining({
        code: 'session_locked',
        data: expect.objectContaining({ pid: process.pid, socket: '/run/user/1/rxpi/rxpi.sock' }) as object,
      }),
    )
    await close(session)
  })
})

describe('a session whose last line was torn', () => {
  it('reports that in its log, with the file of the torn piece [LOG-torn]', async () => {
    const session = create()
    await prompt(session)
    await close(session)
    appendFileSync(logFile(), 'torn')
    const again = create({ sessionId: session.id })
    const [{ event } = {}] = [...again.logged()].slice(-1)
    const stored = expect.stringContaining('.torn-') as string
    expect(event).toMatchObject({
      type: 'warning',
      code: 'torn_line',
      recoverable: true,
      context: { kept: stored, bytes: 4 },
    })
    await close(again)
    await close(create({ sessionId: session.id }))
    expect(readFileSync(logFile(), 'utf8').match(/torn_line/g)).toHaveLength(1)
  })
})

describe('a damaged session', () => {
  let id: string

  beforeEach(async () => {
    const session = create()
    id = session.id
    await prompt(session)
    await close(session)
    appendFileSync(logFile(), 'damaged\n')
  })

  it('is readable up to the damage, refuses every command with the line, and closes [LOG-damage]', async () => {
    const before = readFileSync(logFile())
    const session = create({ sessionId: id })
    expect(transcript(session.state$.value)).toHaveLength(2)
    await expect(prompt(session)).rejects.toMatchObject({
      code: 'read_only',
      message: expect.stringMatching(`Line \\d+ of .*"rxpi sessions repair ${id}"`) as string,
    })
    expect([await close(session), readFileSync(logFile()).equals(before)]).toEqual([[], true])
  })

  it('is opened by a server with a notice', async () => {
    const host = createServerBackend({ env: { RXPI_HOME: home, HOME: home }, version: '0' })
    const opened$ = host.sessions.open({ session: id, cwd: '/', env: {}, model: 'demo/guide' })
    for (const { session, notices } of await valuesOf(opened$)) {
      expect(notices).toContainEqual({ code: 'read_only', message: expect.stringContaining('is damaged') as string })
      await close(session)
    }
    expect.assertions(1)
  })
})
