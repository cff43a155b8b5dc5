// Tests the import and export of sessions.
// Over 250 lines: two commands over one folder, with each format and each refusal.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recoverLog } from '../../../lib/session/recovery/recover-log.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { transferSessions } from '../../../lib/services/stored/transfer-sessions.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { answered, asText, piEntry, piHeader, printed } from '../../store/import/pi-files.ts'
import { appendEvents, checkpointBody, messageStart, sampleHeader } from '../../store/sessions/sample-records.ts'
import { valuesOf } from '../../support/values-of.ts'
import { done } from '../../support/done.ts'

let folder: string
let files: FileStore
const pi = asText([
  piHeader(),
  piEntry('1', null, printed('first')),
  piEntry('2', '1', answered([{ type: 'text', text: 'second' }])),
])

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-transfer-'))
  files = fileStore({ home: path.join(folder, 'home') })
})
afterEach(() => rmSync(folder, { recursive: true }))

const host = () =>
  transferSessions({
    memory: memoryStore(),
    files,
    checkFolder: (cwd) => {
      if (!existsSync(cwd)) throw new Failure('bad_request', `${cwd} is not there`)
    },
    activeTools: () => ['read'],
    protectedPaths: [path.join(folder, 'home'), path.join(folder, 'own.sock')],
  })

/** Imports a text and returns the response of the command. */
async function imported(content: string) {
  const [result] = await valuesOf(host().importSession({ content, cwd: folder }))
  if (result === undefined) throw new Error('nothing was imported')
  return result
}

async function exported(command: Parameters<ReturnType<typeof host>['exportSession']>[0]) {
  const [result] = await valuesOf(host().exportSession(command))
  if (result === undefined) throw new Error('nothing was exported')
  return result
}

function stateOf(session: string): SessionState {
  const { log } = files.open(session, { readOnly: true })
  const state = [...log.records()].reduce<SessionState>((before, record) => foldSession(before, record), emptySession())
  log.close().subscribe()
  return state
}

describe('importing a session', () => {
  it('saves a snapshot of a long one, for the first opening', async () => {
    const entries = Array.from({ length: 80 }, (_, index) =>
      piEntry(String(index + 1), index === 0 ? null : String(index), printed('long '.repeat(1_000))),
    )
    const { session } = await imported(asText([piHeader(), ...entries]))
    const { log } = files.open(session)
    expect(log.kept?.seq).toBe(log.head)
    expect(transcript(replayLog(log))).toHaveLength(80)
    await valuesOf(log.close())
  })

  it('creates a session of the named folder, which verifies clean and is not locked [S9f, COMMAND-import_session]', async () => {
    const { session, format, messages, notes, header } = await imported(pi)
    expect([format, messages, notes, header.cwd]).toEqual(['pi', 2, [], folder])
    expect(done(verifyLog(files.fileOf(session))).clean).toBe(true)
    expect(files.latest(folder)).toBe(session)
    expect(readdirSync(path.dirname(files.fileOf(session)))).toHaveLength(1)
    await valuesOf(files.open(session).log.close())
  })

  it('is found by nothing before it is complete, so a killed import leaves no session [FILES-import]', async () => {
    const entries = Array.from({ length: 3_000 }, (_, index) =>
      piEntry(String(index + 1), null, printed('long '.repeat(100))),
    )
    const importing = host()
      .importSession({ content: asText([piHeader(), ...entries]), cwd: folder })
      .subscribe()
    const home = path.join(folder, 'home/sessions')
    const hidden = readdirSync(home, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.importing'))
    expect(files.latest(folder)).toBeUndefined()
    expect((await valuesOf(files.list(folder))).flatMap(({ logs }) => logs)).toEqual([])
    const killed = path.join(home, path.dirname(hidden ?? ''), '1_aaaaaaaaaaaa.jsonl.importing')
    writeFileSync(killed, 'as a kill leaves it')
    utimesSync(killed, 1, 1)
    importing.unsubscribe()
    const { session } = await imported(pi)
    expect(existsSync(killed)).toBe(false)
    expect(files.latest(folder)).toBe(session)
    const logs = path.dirname(files.fileOf(session))
    // the import that was left removes its files when its write has ended
    await vi.waitFor(() => expect(readdirSync(logs)).toHaveLength(1), { timeout: 10_000, interval: 10 })
  })

  it('is not hindered by the rest of a killed import that cannot be removed [FILES-import]', async () => {
    const first = await imported(pi)
    const rest = path.join(path.dirname(files.fileOf(first.session)), '1_aaaaaaaaaaaa.jsonl.importing')
    mkdirSync(rest)
    utimesSync(rest, 1, 1)
    expect((await imported(pi)).session).not.toBe(first.session)
  })

  it('reads a file, and reports each line that it converts with a loss [COMMAND-import_session]', async () => {
    const file = path.join(folder, 'pi.jsonl')
    writeFileSync(file, `${pi}broken\n`)
    const [result] = await valuesOf(host().importSession({ file, cwd: folder }))
    expect(result).toMatchObject({
      messages: 2,
      notes: [{ line: 4, message: 'it is not JSON; it was left out' }],
      moreNotes: 0,
    })
  })

  it('imports its own export as a log, with the tools of a new session', async () => {
    const { session } = await imported(pi)
    const again = await imported(readFileSync(files.fileOf(session), 'utf8'))
    expect(again).toMatchObject({ format: 'rxpi', messages: 2, notes: [] })
    expect(transcript(stateOf(again.session))).toEqual(transcript(stateOf(session)))
    expect(stateOf(again.session).activeTools).toEqual(['read'])
  })

  it('imports an unfinished run, which opening closes', async () => {
    const source = memoryStore().create(sampleHeader())
    const lines = appendEvents(source, [
      { type: 'agent_start', model: 'p/m', tools: [], thinkingLevel: 'off' },
      { type: 'turn_start', turnId: 'tttttttt', turnIndex: 0 },
      messageStart('aaaaaaaa'),
    ])
    const piece = sealLine(checkpointBody('aaaaaaaa', 0, 'so far'))
    const start = '"delta":{"type":"text_start","contentIndex":0}'
    const begin = sealLine(`{"at":1,"event":{"type":"message_update","entryId":"aaaaaaaa",${start}}`)
    const { session, notes } = await imported([source.headerLine, ...lines, begin, piece, ''].join('\n'))
    const { log } = files.open(session)
    const state = recoverLog({ log, state: replayLog(log), warnings: [], ids: randomIds() })
    expect(notes).toEqual([])
    expect(transcript(state)).toMatchObject([{ stopReason: 'aborted', content: [{ text: 'so far' }] }])
    expect(state.lastEnd?.terminationReason).toBe('crashed')
    await valuesOf(log.close())
  })

  it.each([
    ['neither file nor content', {}],
    ['both', { file: '/x', content: pi }],
    ['a path that is not absolute', { file: 'x' }],
    ['a file that is not there', { file: '/nowhere/x' }],
    ['a folder that is not there', { content: pi, cwd: '/nowhere' }],
    ['no session', { content: 'x' }],
  ])('refuses %s and creates no session [S9f, COMMAND-import_session]', async (_name, command) => {
    await expect(valuesOf(host().importSession({ cwd: folder, ...command }))).rejects.toMatchObject({
      code: 'bad_request',
    })
    expect(files.latest(folder)).toBeUndefined()
  })
})

describe('exporting a session', () => {
  it.each([
    ['pi', '{"type":"session","version":3'],
    ['markdown', '# first\n'],
    ['html', '<!doctype html>'],
  ] as const)('returns its text as %s [COMMAND-export_session]', async (format, start) => {
    const { session } = await imported(pi)
    const { text = '', characters } = await exported({ session, format })
    expect(text.startsWith(start)).toBe(true)
    expect(text).toContain('second')
    expect(characters).toBe(text.length)
  })

  it('exports a session that another process holds', async () => {
    const { session } = await imported(pi)
    const { log } = files.open(session)
    expect((await exported({ session, format: 'markdown' })).text).toContain('second')
    await valuesOf(log.close())
  })

  it('writes a private file, and replaces an existing one only with `overwrite` [COMMAND-export_session, S25b]', async () => {
    const { session } = await imported(pi)
    const file = path.join(folder, 'page.html')
    writeFileSync(file, 'old', { mode: 0o644 })
    const refused = exported({ session, format: 'html', to: file })
    await expect(refused).rejects.toMatchObject({ code: 'bad_request', data: { exists: true } })
    expect(readFileSync(file, 'utf8')).toBe('old')
    const result = await exported({ session, format: 'html', to: file, overwrite: true })
    expect(result).toMatchObject({ file })
    expect(result.text).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toContain('second')
    expect(lstatSync(file).mode & 0o777).toBe(0o600)
  })

  it.each(['home/stolen.html', 'home/sessions/x.html', 'linked/x.html', 'own.sock'])(
    'writes no export to %s, a file or folder of rxpi itself [S25c]',
    async (name) => {
      const { session } = await imported(pi)
      symlinkSync(path.join(folder, 'home'), path.join(folder, 'linked'))
      const refused = exported({ session, format: 'html', overwrite: true, to: path.join(folder, name) })
      await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    },
  )

  it('exports a file of pi, or of rxpi, without creating a session', async () => {
    const file = path.join(folder, 'pi.jsonl')
    writeFileSync(file, `${pi}broken\n`)
    const { text, notes } = await exported({ file, format: 'markdown' })
    expect(text).toContain('- session d703a1a9-1b7b-4fb1-b512-c9738b1fe617, begun')
    expect(text).toContain('in `/elsewhere`')
    expect(notes).toEqual([{ line: 4, message: 'it is not JSON; it was left out' }])
    expect(files.latest('/elsewhere')).toBeUndefined()
  })

  it('refuses a text above the limit of a response, and writes it to a file [COMMAND-export_session]', async () => {
    const { session } = await imported(asText([piHeader(), piEntry('1', null, printed('x'.repeat(9_000_000)))]))
    await expect(exported({ session, format: 'pi' })).rejects.toMatchObject({ code: 'message_too_large' })
    expect(await exported({ session, format: 'pi', to: path.join(folder, 'out') })).toMatchObject({
      file: path.join(folder, 'out'),
    })
  })

  it.each([
    ['neither session nor file', {}, 'bad_request'],
    ['both', { session: 'aaaaaaaaaaaa', file: '/x' }, 'bad_request'],
    ['a session that is not there', { session: 'aaaaaaaaaaaa' }, 'unknown_session'],
    ['a path as an id', { session: '../../../etc' }, 'unknown_session'],
    ['a file that is not there', { file: '/nowhere/x' }, 'bad_request'],
  ])('refuses %s', async (_name, command, code) => {
    await expect(exported({ format: 'pi', ...command })).rejects.toMatchObject({ code })
  })

  it('names the file that it could not write', async () => {
    const { session } = await imported(pi)
    mkdirSync(path.join(folder, 'out'))
    await expect(exported({ session, format: 'pi', to: path.join(folder, 'out') })).rejects.toMatchObject({
      code: 'bad_request',
    })
    await expect(exported({ session, format: 'pi', to: '/proc/rxpi-out' })).rejects.toMatchObject({ code: 'storage' })
    await expect(exported({ session, format: 'pi', to: 'out' })).rejects.toMatchObject({ code: 'bad_request' })
  })
})
