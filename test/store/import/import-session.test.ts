// Tests the import of session files.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { importSession } from '../../../lib/store/import/import-session.ts'
import { readPieces } from '../../../lib/store/import/read-pieces.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { valuesOf } from '../../support/values-of.ts'
import { faultyFiles, systemError } from '../disk/faulty-files.ts'
import { answered, asText, imported, piEntry, piHeader, readBack, printed } from './pi-files.ts'
import type { PiLine } from './pi-files.ts'
import { done } from '../../support/done.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-import-'))
  folders.push(folder)
  return folder
}

async function importedFile(file: string): Promise<{ log: string; messages: Message[]; notices: number }> {
  const home = newFolder()
  const store = fileStore({ home })
  const pieces = readPieces(file)
  const [result] = await valuesOf(
    importSession({ name: file, pieces, cwd: home, store, ids: randomIds(), now: Date.now() }),
  )
  if (result === undefined) throw new Error('nothing was imported')
  const { header, notes } = result
  const folder = path.join(home, 'sessions')
  const log = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith(`${header.id}.jsonl`),
  )
  return {
    log: path.join(folder, log ?? ''),
    messages: transcript(readBack(store, header.id).state),
    notices: notes.length,
  }
}

const session = asText([
  piHeader(),
  piEntry('1', null, printed('first')),
  piEntry('2', '1', answered([{ type: 'text', text: 'second' }])),
])

describe('importing a session file', () => {
  it('writes a log that passes verification, in the folder of the caller', async () => {
    const file = path.join(newFolder(), 'pi.jsonl')
    writeFileSync(file, session)
    const { log, messages } = await importedFile(file)
    expect(done(verifyLog(log))).toMatchObject({ clean: true, head: 5, lines: 6 })
    expect(messages).toMatchObject([{ content: 'first' }, { content: [{ text: 'second' }] }])
    expect(readdirSync(path.dirname(log))).toEqual([path.basename(log)])
  })

  it.each([
    ['an empty file', '', 'it is empty'],
    ['a text', 'Hello\n', 'it is not JSON'],
    ['a list', '[1]\n', 'not an object'],
    ['a file that does not begin with a header', session.split('\n').slice(1).join('\n'), 'not the header'],
    ['bytes', Buffer.from([0xff, 0xfe, 0, 10]), 'not UTF-8'],
    ['a header without an id', '{"type":"session","timestamp":"x"}', 'no id'],
    ['an invalid version', '{"type":"session","id":"x","version":"3"}', 'its version is not a positive whole number'],
    [
      'a log with a wrong first line',
      '{"type":"session","v":1,"id":"aaaaaaaaaaaa","createdAt":1,"cwd":"/","crc":"00000000"}',
      'damaged',
    ],
  ])('refuses %s', async (_name, content, problem) => {
    const refused = imported(content)
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    await expect(refused).rejects.toThrow(problem)
  })

  it.each([
    ['pi', '{"type":"session","id":"x","version":4}'],
    ['rxpi', '{"type":"session","v":2}'],
  ])('refuses %s as an unknown version', async (_name, content) => {
    await expect(imported(content)).rejects.toMatchObject({ code: 'unsupported_version' })
  })

  it('reads files with byte order marks, at the start and where files were joined [FILES-import]', async () => {
    const lines = session.trimEnd().split('\n')
    const marked = await imported(`\uFEFF${lines[0]}\n${lines[1]}\n\uFEFF${lines[2]}\n`)
    expect([marked.messages, marked.notices]).toEqual([2, []])
    const wide = Buffer.from(`\uFEFF${session}`, 'utf16le')
    await expect(imported(wide)).rejects.toThrow('it is not UTF-8 but perhaps UTF-16; convert it')
  })

  it('reads files of omp: the title slot before the header, title changes and models [FILES-import]', async () => {
    const slot = { type: 'title', v: 1, title: 'Now', source: 'user', updatedAt: '2026-01-01', pad: ' '.repeat(100) }
    const changes = [
      piEntry('3', '2', { type: 'model_change', model: 'anthropic/opus', role: 'default' }),
      piEntry('4', '3', { type: 'title_change', title: 'Later', source: 'user' }),
    ]
    const titled = await imported(`${JSON.stringify(slot)}\n${session}${asText(changes)}`)
    expect(titled.notices.filter((note) => !note.includes('fields unknown'))).toEqual([])
    expect(titled.state).toMatchObject({ title: 'Later', model: 'anthropic/opus' })
    expect((await imported(`${JSON.stringify(slot)}\n${session}`)).state.title).toBe('Now')
    expect((await imported(asText([piHeader({ title: 'Own' })]))).state.title).toBe('Own')
  })

  it('uses the folder of the file only if the caller names none [S9f]', async () => {
    const folders = [
      await imported(session),
      await imported(session, { cwd: null }),
      await imported(session, { cwd: '/x' }),
    ]
    expect(folders.map(({ header }) => header.cwd)).toEqual(['/tmp', '/elsewhere', '/x'])
  })

  it('refuses a path that is no file or does not exist', () => {
    expect(() => readPieces(tmpdir()).next()).toThrow(/is not a file/)
    expect(() => readPieces(path.join(tmpdir(), 'rxpi-none', 'x')).next()).toThrow(/there is no such file or folder/)
  })

  it('names the session that has the part imported before the disk was full', async () => {
    const full = (function* pieces() {
      yield Buffer.from(session)
      throw new Error('the disk is full')
    })()
    await expect(imported('', { pieces: full })).rejects.toThrow(
      /the disk is full\. The import stopped; .* session [a-z2-7]{12}/,
    )
  })

  it('closes a file that it refuses by its first line', async () => {
    let isOpen = true
    const pieces = (function* pieces() {
      try {
        yield Buffer.from('Hello\n'.repeat(2))
      } finally {
        isOpen = false
      }
    })()
    await expect(imported('', { pieces })).rejects.toThrow('it is not JSON')
    expect(isOpen).toBe(false)
  })

  it('releases the log, and names it, if the disk fails at the end', async () => {
    const files = faultyFiles()
    files.syncError = systemError('EIO')
    const store = fileStore({ home: newFolder(), files })
    const failure: unknown = await imported(session, { store }).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/the disk reports an error.*The import stopped/) as string,
    })
    const [, id = ''] = /session ([a-z2-7]{12})/.exec((failure as Error).message) ?? []
    expect(store.lockedBy(id)).toBeUndefined()
  })

  it('releases the log also if the caller unsubscribes during the sync', async () => {
    const files = faultyFiles()
    files.holdSyncs = true
    const home = newFolder()
    const pieces = [Buffer.from(session)]
    const options = { name: 'x', pieces, cwd: home, store: fileStore({ home, files }), ids: randomIds(), now: 1 }
    importSession(options).subscribe().unsubscribe()
    const locks = (): string[] =>
      readdirSync(path.join(home, 'sessions'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.lock'),
      )
    expect(locks()).toHaveLength(1)
    await vi.waitFor(() => expect(files.finishSync()).toBe(true), { timeout: 10_000 })
    await vi.waitFor(() => expect(locks()).toEqual([]), { timeout: 10_000 })
  })

  const fixtures = process.env['RXPI_FIXTURES']
  const real = ['pi_large-session.jsonl', 'pi_before-compaction.jsonl']
  if (fixtures === undefined) it.skip('imports real sessions completely: RXPI_FIXTURES does not name their folder')
  else
    it.each(real)('imports the real session %s completely', async (name) => {
      const file = path.join(fixtures, 'sessions', name)
      const { log, messages, notices } = await importedFile(file)
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      const theirs = lines.map((line) => JSON.parse(line) as PiLine).filter(({ type }) => type === 'message')
      expect(notices).toBe(0)
      expect(messages.map(comparable)).toEqual(theirs.map(({ message }) => comparable(message as Message)))
      expect(done(verifyLog(log)).clean).toBe(true)
    })
})

/** The oldest files have no total. */
function comparable(message: Message): unknown {
  if (message.role !== 'assistant') return message
  const { usage, ...rest } = message
  return { ...rest, usage: { ...usage, totalTokens: 0 } }
}
