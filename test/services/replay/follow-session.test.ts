// Tests two servers on one home: one writes a session, the other follows it.
// The second continues the session when the first has closed it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { embedServer } from '../../../lib/server/machine-server.ts'
import type { EmbeddedServer } from '../../../lib/server/machine-server.ts'
import { defaultActiveTools } from '../../../lib/session/tools/active-tools.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { Command, ResultOf } from '../../../lib/streams/commands/command.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { valuesOf } from '../../support/values-of.ts'

/** A follower learns of new lines from the system, or by polling twice a second; a loaded machine needs more time. */
const eventually = <Value>(value: () => Value) => expect.poll(value, { timeout: 10_000 })

let home: string
let servers: EmbeddedServer[]
let writer: EmbeddedServer
let follower: EmbeddedServer
let session: string
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-follow-'))
  writeFileSync(
    path.join(home, 'script.json'),
    JSON.stringify(['one', 'two', 'three', 'four'].map((text) => ({ text }))),
  )
  servers = []
  writer = server()
  follower = server()
  session = (
    await ask(writer, { type: 'new_session', approve: 'auto', cwd: home, env: {}, model: 'scripted/script.json' })
  ).session
  await prompted(writer, 'first')
})
afterEach(async () => {
  for (const { client, server: own } of servers) {
    client.close()
    await valuesOf(own.close())
  }
  rmSync(home, { recursive: true })
})

function server(): EmbeddedServer {
  const host = createServerBackend({ env: { RXPI_HOME: home, HOME: home }, version: '1' })
  const made = embedServer({ host, version: '1' })
  servers.push(made)
  return made
}
async function ask<Options extends Command>(
  { client }: EmbeddedServer,
  command: Options,
): Promise<ResultOf<Options['type']>> {
  const [result] = await valuesOf(client.request(command))
  return result ?? expect.unreachable('no answer')
}
const stateOf = (each: EmbeddedServer): Promise<ResultOf<'get_state'>> => ask(each, { type: 'get_state', session })
/** Sends the prompt and waits for the end of its run. */
async function prompted(each: EmbeddedServer, text: string): Promise<void> {
  await ask(each, { type: 'prompt', session, text })
  await eventually(async () => (await stateOf(each)).running).toBeUndefined()
}
const open = (each: EmbeddedServer): Promise<ResultOf<'open_session'>> =>
  ask(each, { type: 'open_session', session, cwd: home, env: {} })

interface Watched {
  readonly events: ClientEvent[]
  readonly lines: string[]
  state: SessionState
}
function watch({ client }: EmbeddedServer, after = 0): Watched {
  const watched: Watched = { events: [], lines: [], state: emptySession() }
  client.events$(session, { after }).subscribe((event) => {
    watched.events.push(event)
    if (event.type !== 'event') return
    watched.state = foldSession(watched.state, event)
    if (event.line !== undefined) watched.lines.push(event.line)
  })
  return watched
}
const logLines = (): string[] => readFileSync(fileStore({ home }).fileOf(session), 'utf8').split('\n').slice(1, -1)
const numbered = (): string[] => logLines().filter((line) => line.startsWith('{"seq"'))
const words = ({ state }: Watched): unknown[] => transcript(state).map(({ content }) => content)
const output = (...texts: string[]): unknown[] =>
  texts.map((text, index) => (index % 2 === 0 ? text : [{ type: 'text', text }]))
const code = (expected: string): unknown => expect.objectContaining({ code: expected })

describe('a session that another process holds', () => {
  it('is opened read-only, and names the holder', async () => {
    const opened = await open(follower)
    const message = expect.stringContaining(`open in this process (${process.pid})`) as string
    expect(opened.readOnly).toMatchObject({ code: 'session_locked', message, data: { pid: process.pid } })
    expect(opened).toMatchObject({ model: { provider: 'scripted' }, notices: [{ code: 'session_locked', message }] })
  })

  it('emits its history and then each line as the holder writes it [LOG-follow]', async () => {
    const watched = watch(follower)
    await eventually(() => words(watched)).toEqual(output('first', 'one'))
    await prompted(writer, 'second')
    await eventually(() => words(watched)).toEqual(output('first', 'one', 'second', 'two'))
    await eventually(() => watched.lines).toEqual(numbered())
    const late = watch(server(), 5)
    await eventually(() => late.lines).toEqual(numbered().slice(5))
  })

  it('emits to a later subscriber the records that were written meanwhile', async () => {
    await open(follower)
    await prompted(writer, 'second')
    const watched = watch(follower)
    await eventually(() => watched.lines).toEqual(numbered())
  })

  it('emits an answer while it is written, also to a subscriber that comes in the middle', async () => {
    const long = { text: 'word '.repeat(400), pieceLength: 5, pieceDelayMs: 5 }
    writeFileSync(path.join(home, 'long.json'), JSON.stringify([{ thinking: 'hm', ...long }]))
    await ask(writer, { type: 'set_model', session, model: 'scripted/long.json' })
    const watched = watch(follower)
    await ask(writer, { type: 'prompt', session, text: 'more' })
    const textOf = ({ state }: Watched): string => {
      const message = state.open?.message
      const text = message?.role === 'assistant' ? message.content.find(({ type }) => type === 'text') : undefined
      return text?.type === 'text' ? text.text : ''
    }
    await eventually(() => textOf(watched).length).toBeGreaterThan(200)
    const late = watch(server(), 3)
    await eventually(() => textOf(late).length).toBeGreaterThan(200)
    expect(long.text.startsWith(textOf(late)) && long.text.startsWith(textOf(watched))).toBe(true)
    await ask(writer, { type: 'abort', session })
    await eventually(() => [watched.lines, late.lines]).toEqual([numbered(), numbered().slice(3)])
    expect(words(watched).slice(0, 3)).toEqual(output('first', 'one', 'more'))
  })

  it('refuses commands that write [LOG-follow]', async () => {
    await open(follower)
    const commands = [
      { type: 'prompt', session, text: 'no' },
      { type: 'rename_session', session, title: 'no' },
      { type: 'branch_session', session, entryId: null },
      { type: 'abort', session },
    ] as const
    for (const command of commands) await expect(ask(follower, command)).rejects.toEqual(code('session_locked'))
    expect(await stateOf(follower)).toMatchObject({ open: true, readOnly: { code: 'session_locked' }, queue: [] })
  })

  it('can be continued by opening it again after the holder releases it; its followers still follow', async () => {
    const watched = watch(follower)
    await eventually(() => watched.lines.length).toBeGreaterThan(0)
    await valuesOf(writer.server.close())
    await expect(ask(follower, { type: 'prompt', session, text: 'no' })).rejects.toMatchObject({
      code: 'read_only',
      message: expect.stringContaining('send open_session again') as string,
    })
    const opened = await open(follower)
    expect(opened).toMatchObject({ notices: [], model: { id: 'script.json' } })
    expect(opened.readOnly).toBeUndefined()
    await prompted(follower, 'second')
    await eventually(() => watched.lines).toEqual(numbered())
    expect(words(watched)).toEqual(output('first', 'one', 'second', 'one')) // the script starts again on this server
  })

  it('is followed again if another process took it first', async () => {
    await open(follower)
    await valuesOf(writer.server.close())
    const third = server()
    await open(third)
    expect((await open(follower)).readOnly).toEqual(code('session_locked'))
    await prompted(third, 'second')
    const watched = watch(follower)
    await eventually(() => watched.lines).toEqual(numbered())
  })

  it('that is damaged is emitted up to the damage, which is reported', async () => {
    const file = fileStore({ home }).fileOf(session)
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').with(6, 'nothing').join('\n'))
    const watched = watch(follower)
    const damage = { type: 'event', event: { type: 'status', code: 'read_only', recoverable: false } }
    await eventually(() => watched.events.at(-1)).toMatchObject(damage)
    expect(watched.lines.length).toBeLessThan(6)
  })
})

describe('get_state', () => {
  it("returns an open session's position and the settings of its next request [ATTACH-state, COMMAND-get_state]", async () => {
    const { seq } = await ask(writer, { type: 'attach', session }).then(({ head }) => ({ seq: head }))
    await ask(writer, { type: 'follow_up', session, text: 'later' })
    await ask(writer, { type: 'set_thinking_level', session, thinkingLevel: 'high' })
    const state = await stateOf(writer)
    expect(state).toMatchObject({
      seq: seq + 2,
      header: { id: session, cwd: home },
      model: 'scripted/script.json',
      thinkingLevel: 'high',
      activeTools: defaultActiveTools,
      queue: [{ queue: 'followUp', content: 'later' }],
      queueModes: {},
      tools: [],
      requests: [],
      jobs: [],
      lastEnd: { terminationReason: 'completed' },
      open: true,
      verified: true,
    })
    expect(state).not.toHaveProperty('readOnly')
    expect(state).not.toHaveProperty('running')
  })

  it('returns the same for a session that is not open, from its log, with the holder [COMMAND-get_state]', async () => {
    const { approvalMode: _ofOpenSession, ...state } = await stateOf(writer)
    const held = await stateOf(follower)
    expect(held).toEqual({ ...state, open: false, readOnly: code('session_locked') })
    await valuesOf(writer.server.close())
    expect(await stateOf(follower)).toEqual({ ...state, open: false })
  })

  it('fails for an unknown session', async () => {
    await expect(ask(follower, { type: 'get_state', session: 'zzzzzzzzzzzz' })).rejects.toEqual(code('unknown_session'))
  })
})
