// Tests `replay_session` through a server, as a client sees it.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { takeWhile } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientEvent, ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import { embedServer } from '../../../lib/server/machine-server.ts'
import type { EmbeddedServer } from '../../../lib/server/machine-server.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { answered, asText, piEntry, piHeader, printed } from '../../store/import/pi-files.ts'
import { sampleHeader } from '../../store/sessions/sample-records.ts'
import { valuesOf } from '../../support/values-of.ts'
import { playSession } from '../../support/virtual-session.ts'

const played = playSession({
  script: [{ thinking: 'hm', text: 'I look.', toolCalls: [{ name: 'a' }] }, 'It is blue.'],
  tools: [fakeTool('a', 'of a')],
  prompt: 'Which colour?',
})
const conversation = transcript(played.session.state$.value)
const id = sampleHeader().id

let home: string
let files: FileStore
let file: string
let server: EmbeddedServer
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-replay-'))
  files = fileStore({ home })
  const log = files.create(sampleHeader({ title: 'Colours' }))
  for (const { seq, at, event, runId } of played.records)
    if (seq !== undefined) log.append(lineBody({ seq, at, event, ...(runId === undefined ? {} : { runId }) }))
  await valuesOf(log.close())
  file = files.fileOf(id)
  server = embedServer({
    host: createServerBackend({ env: { RXPI_HOME: home, HOME: home }, version: '1' }),
    version: '1',
  })
})
afterEach(async () => {
  await valuesOf(server.server.close())
  rmSync(home, { recursive: true })
})

type Replay = Omit<CommandNamed<'replay_session'>, 'type'>
async function opened(replay: Replay): Promise<ResultOf<'replay_session'>> {
  const [result] = await valuesOf(server.client.request({ type: 'replay_session', speed: 0, ...replay }))
  if (result === undefined) throw new Error('no answer')
  return result
}
/** The events that an attached client receives, up to the end of the replay. */
const watched = (session: string, options: { deltas?: boolean } = {}): Promise<ClientEvent[]> =>
  valuesOf(
    server.client
      .events$(session, { after: 0, ...options })
      .pipe(takeWhile((each) => each.type !== 'event' || each.event.type !== 'status', true)),
  )
const isEvent = (each: ClientEvent): each is ReceivedEvent => each.type === 'event'
const matching = (pattern: RegExp): string => expect.stringMatching(pattern) as string
const linesOf = (events: readonly ClientEvent[]): string[] => events.filter(isEvent).flatMap(({ line }) => line ?? [])
const wordsOf = (events: readonly ClientEvent[]): unknown =>
  transcript(events.filter(isEvent).reduce(foldSession, emptySession()))

describe('replay_session', () => {
  it('plays the log’s lines as a new session, and emits a status at their end [COMMAND-replay_session]', async () => {
    const { session, header, readOnly, notices } = await opened({ session: id })
    expect(header).toMatchObject({ id: session, cwd: '/tmp', title: 'Replay of Colours' })
    expect(session).not.toBe(id)
    expect(notices).toEqual([])
    expect(readOnly).toMatchObject({ code: 'read_only', message: expect.stringContaining(id) as string })
    const events = await watched(session)
    expect([...linesOf(events), '']).toEqual(readFileSync(file, 'utf8').split('\n').slice(1))
    expect(wordsOf(events)).toEqual(conversation)
    expect(events.at(-1)).toMatchObject({
      event: { type: 'status', code: 'replay_ended', message: `The replay of session ${id} has ended` },
    })
  })

  it('emits the deltas of answers to a client that requests them', async () => {
    const { session } = await opened({ session: id })
    const [events, without] = [await watched(session), await watched(session, { deltas: false })]
    const pieces = (of: readonly ClientEvent[]): string[] =>
      of.filter(isEvent).flatMap(({ event }) => (event.type === 'message_update' ? [event.delta.type] : []))
    expect(pieces(events).filter((type) => type.endsWith('_delta'))).toEqual([
      'thinking_delta',
      'text_delta',
      'toolcall_delta',
      'text_delta',
    ])
    expect(pieces(without)).toEqual([])
    expect(linesOf(without)).toEqual(linesOf(events))
  })

  it('refuses commands, and changes nothing', async () => {
    const before = readFileSync(file)
    const { session } = await opened({ session: id })
    await watched(session)
    for (const command of [{ type: 'prompt', text: 'Hi' }, { type: 'abort' }, { type: 'undo' }] as const)
      await expect(valuesOf(server.client.request({ ...command, session }))).rejects.toMatchObject({
        code: 'read_only',
      })
    expect(readFileSync(file)).toEqual(before)
    expect(await valuesOf(server.client.request({ type: 'list_sessions', all: true }))).toMatchObject([{ total: 1 }])
  })

  it('plays a log at any path, also through a link, and a session of pi', async () => {
    const [elsewhere, link, pi] = ['log.jsonl', 'link.jsonl', 'pi.jsonl'].map((name) => path.join(home, name))
    if (elsewhere === undefined || link === undefined || pi === undefined) throw new Error('no names')
    writeFileSync(elsewhere, readFileSync(file))
    symlinkSync(elsewhere, link)
    writeFileSync(pi, asText([piHeader(), piEntry('1', null, printed('Hi')), piEntry('2', '1', answered([{ type: 'text', text: 'Ho' }]))])) // prettier-ignore
    for (const each of [elsewhere, link]) {
      const { session, header } = await opened({ file: each })
      expect(header.title).toBe('Replay of Colours')
      expect(wordsOf(await watched(session))).toEqual(conversation)
    }
    const { session, header, readOnly } = await opened({ file: pi })
    expect([header.title, readOnly?.message]).toEqual(['Replay of pi.jsonl', matching(/pi\.jsonl .* import pi\.jsonl/)])
    expect(wordsOf(await watched(session))).toMatchObject([{ content: 'Hi' }, { content: [{ text: 'Ho' }] }])
  })

  it('reports up to 20 conversion notes of a session of pi', async () => {
    const pi = path.join(home, 'pi.jsonl')
    writeFileSync(pi, asText([piHeader(), piEntry('1', null, printed('Hi'))]) + 'damaged\n'.repeat(25))
    const { session, notices } = await opened({ file: pi })
    expect(notices).toHaveLength(21)
    expect(notices[0]).toEqual({ code: 'not_as_it_was', message: matching(/^line 3: it is not JSON/) })
    expect(notices[20]?.message).toBe('and 5 more; rxpi sessions import lists them')
    expect(wordsOf(await watched(session))).toMatchObject([{ content: 'Hi' }])
  })

  it('plays up to the damage, and reports it', async () => {
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.with(5, 'nothing').join('\n'))
    const { session, notices } = await opened({ session: id })
    expect(notices).toMatchObject([{ code: 'read_only', message: matching(/^Line 6 of /) }])
    const events = await watched(session)
    expect(linesOf(events)).toEqual(lines.slice(1, 5))
    expect(events.at(-1)).toMatchObject({ event: { message: matching(/has ended at the damaged line of its log$/) } })
  })

  it('can be read up to the played position while it plays', async () => {
    const { session } = await opened({ session: id })
    const ask = async () => {
      const tree = await valuesOf(server.client.request({ type: 'get_tree', session }))
      const entries = await valuesOf(server.client.request({ type: 'get_entries', session }))
      return [tree[0]?.entries.length, entries[0]?.entries.map(({ message }) => message)]
    }
    expect(await ask()).toEqual([0, []])
    await watched(session)
    expect(await ask()).toEqual([conversation.length, conversation])
    const [exported] = await valuesOf(server.client.request({ type: 'export_session', session, format: 'markdown' }))
    expect(exported?.text).toContain('It is blue.')
    expect(await valuesOf(server.client.request({ type: 'get_state', session }))).toMatchObject([
      { open: true, header: { id: session }, lastEnd: { terminationReason: 'completed' } },
    ])
    const rename = { type: 'rename_session', session, title: 'x' } as const
    await expect(valuesOf(server.client.request(rename))).rejects.toMatchObject({ code: 'read_only' })
    const copy = { type: 'branch_session', session, entryId: null, newFile: true } as const
    await expect(valuesOf(server.client.request(copy))).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('plays a session that another process writes, up to its last line', async () => {
    const { log } = files.open(id)
    const { session } = await opened({ session: id })
    expect(wordsOf(await watched(session))).toEqual(conversation)
    await valuesOf(log.close())
  })

  it.each<[string, Replay, string]>([
    ['neither session nor file', {}, 'bad_request'],
    ['both', { session: id, file: '/log.jsonl' }, 'bad_request'],
    ['a relative file', { file: 'log.jsonl' }, 'bad_request'],
    ['a file that is not there', { file: '/nowhere/log.jsonl' }, 'bad_request'],
    ['a file that is no session', { file: '/etc/passwd' }, 'bad_request'],
    ['a session that is not there', { session: 'zzzzzzzzzzzz' }, 'unknown_session'],
    ['a speed that is none', { session: id, speed: 0.001 }, 'bad_request'],
  ])('is refused for %s', async (_, replay, code) => {
    await expect(opened(replay)).rejects.toMatchObject({ code })
  })
})
