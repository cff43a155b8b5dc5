// Tests the store of sessions on disk.
// Over 250 lines: one store, from its first session to its last, in a folder that each test makes anew.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { sessionFolder } from '../../../lib/store/sessions/session-folder.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { logContract } from '../../contract/log-contract.ts'
import { appendEvents, custom, customs, sampleAt, sampleHeader } from './sample-records.ts'

const newHome = () => mkdtempSync(path.join(tmpdir(), 'rxpi-store-'))

logContract('fileStore', () => {
  const home = newHome()
  const again = () => fileStore({ home })
  return { store: again(), again, dispose: () => rmSync(home, { recursive: true }) }
})

describe('fileStore', () => {
  let home: string
  let umask: number
  const logs: SessionLog[] = []
  const modeOf = (file: string) => (lstatSync(file).mode & 0o7777).toString(8)
  const fileOf = (id = 'abcdefghij23', cwd = '/tmp', createdAt = sampleAt) =>
    path.join(home, 'sessions', sessionFolder(cwd), `${createdAt}_${id}.jsonl`)

  beforeEach(() => {
    home = newHome()
    umask = process.umask(0o022)
  })

  afterEach(async () => {
    process.umask(umask)
    await closeAll()
    rmSync(home, { recursive: true })
  })

  async function closeAll(): Promise<void> {
    for (const log of logs.splice(0)) await lastValueFrom(log.close(), { defaultValue: undefined })
  }

  function create(fields: Parameters<typeof sampleHeader>[0] = {}): SessionLog {
    const log = fileStore({ home }).create(sampleHeader(fields))
    logs.push(log)
    return log
  }

  function open(id = 'abcdefghij23') {
    const opened = fileStore({ home }).open(id)
    logs.push(opened.log)
    return opened
  }

  it('names the file after time and id, in a folder named after the working folder [LOG-path]', () => {
    create()
    expect(readdirSync(path.join(home, 'sessions'))).toEqual([sessionFolder('/tmp')])
    const name = `${sampleAt}_abcdefghij23.jsonl`
    expect(readdirSync(path.dirname(fileOf()))).toEqual([name, `${name}.lock`])
  })

  it('is held by its process while it is open, and by none afterwards', async () => {
    logs.push(fileStore({ home, socket: '/run/rxpi.sock' }).create(sampleHeader()))
    const lock = () => JSON.parse(readFileSync(`${fileOf()}.lock`, 'utf8')) as unknown
    const refused: unknown = expect.objectContaining({
      code: 'session_locked',
      data: { pid: process.pid, socket: '/run/rxpi.sock', file: fileOf() },
    })
    expect(lock()).toMatchObject({ pid: process.pid, socket: '/run/rxpi.sock' })
    expect(() => open()).toThrow(refused)
    await closeAll()
    expect(existsSync(`${fileOf()}.lock`)).toBe(false)
    open()
    expect(lock()).not.toHaveProperty('socket')
    expect(() => open()).toThrow(expect.objectContaining({ code: 'session_locked' }))
    await closeAll()
    expect(existsSync(`${fileOf()}.lock`)).toBe(false)
  })

  it('is taken over if its process died, with a warning if its lock was damaged', async () => {
    create()
    await closeAll()
    writeFileSync(`${fileOf()}.lock`, '')
    utimesSync(`${fileOf()}.lock`, 1000, 1000)
    expect(open().warnings.map(({ code }) => code)).toEqual(['damaged_lock'])
    expect(JSON.parse(readFileSync(`${fileOf()}.lock`, 'utf8'))).toMatchObject({ pid: process.pid })
  })

  it('contains exactly the lines that it confirmed', () => {
    const log = create()
    const lines = appendEvents(log, customs(3))
    expect(readFileSync(fileOf(), 'utf8')).toBe([log.headerLine, ...lines, ''].join('\n'))
  })

  it.each([0o000, 0o077, 0o277])('makes folders 0700 and files 0600 under umask %o [LOG-modes]', (mask) => {
    process.umask(mask)
    home = path.join(home, 'state', 'rxpi')
    create()
    const folder = path.dirname(fileOf())
    expect([path.dirname(home), home, path.dirname(folder), folder, fileOf()].map(modeOf)).toEqual([
      '700',
      '700',
      '700',
      '700',
      '600',
    ])
    home = path.dirname(path.dirname(home))
  })

  it('tightens a home that others can read, and refuses a linked sessions folder in it', () => {
    chmodSync(home, 0o755)
    symlinkSync(mkdtempSync(path.join(home, 'elsewhere-')), path.join(home, 'sessions'))
    expect(() => create()).toThrow(/sessions is a symbolic link/)
    expect(modeOf(home)).toBe('700')
  })

  it('tightens a file that others can read when it is opened [LOG-modes]', async () => {
    create()
    await closeAll()
    chmodSync(fileOf(), 0o644)
    open()
    expect(modeOf(fileOf())).toBe('600')
  })

  describe('with a session folder that is a symbolic link [S9c]', () => {
    let elsewhere: string

    beforeEach(async () => {
      elsewhere = path.join(home, 'elsewhere')
      create({ cwd: '/usr' })
      await closeAll()
      renameSync(path.dirname(fileOf('abcdefghij23', '/usr')), elsewhere)
      symlinkSync(elsewhere, path.dirname(fileOf()))
    })

    const refused: unknown = expect.objectContaining({
      code: 'storage',
      message: expect.stringContaining('symbolic link') as string,
    })

    it('creates no session in it', () => {
      expect(() => create({ id: 'aaaaaaaaaaaa' })).toThrow(refused)
      expect(readdirSync(elsewhere)).toEqual([`${sampleAt}_abcdefghij23.jsonl`])
    })

    it('opens no session in it', () => expect(() => open()).toThrow(refused))
    it('finds no latest session in it', () => expect(() => fileStore({ home }).latest('/tmp')).toThrow(refused))
  })

  it('follows no link to a session file [S9c]', async () => {
    create()
    await closeAll()
    renameSync(fileOf(), path.join(home, 'moved'))
    symlinkSync(path.join(home, 'moved'), fileOf())
    expect(() => open()).toThrow(expect.objectContaining({ code: 'storage', data: { errno: 'ELOOP' } }))
    expect(fileStore({ home }).latest('/tmp')).toBeUndefined()
  })

  it("does not wait for the writer of a pipe that has a session's name", async () => {
    create()
    await closeAll()
    renameSync(fileOf(), path.join(home, 'moved'))
    expect(spawnSync('mkfifo', [fileOf()]).status).toBe(0)
    const store = fileStore({ home })
    for (const readOnly of [true, false])
      expect(() => store.open('abcdefghij23', { readOnly })).toThrow(/it is not a file/)
  })

  it('removes a session completely, with its blobs, even after unsubscribe', async () => {
    const store = fileStore({ home })
    const hash = blobName(Buffer.from('large'))
    const blob = store.blobs.write(hash, Buffer.from('large'))
    appendEvents(create(), [custom({ blob: hash })])
    await closeAll()
    store.remove('abcdefghij23').subscribe().unsubscribe()
    await vi.waitFor(() => expect(existsSync(blob)).toBe(false), { timeout: 10_000 })
  })

  it('finds a session also if a link to a file is among the folders', async () => {
    create()
    await closeAll()
    const sessions = path.join(home, 'sessions')
    writeFileSync(path.join(home, 'notes'), 'notes')
    for (const name of ['aaa', 'zzz']) symlinkSync(path.join(home, 'notes'), path.join(sessions, name))
    expect(open().log.head).toBe(0)
    expect(() => fileStore({ home }).fileOf('aaaaaaaaaaaa')).toThrow(
      expect.objectContaining({ code: 'unknown_session' }),
    )
  })

  it.skipIf(process.geteuid?.() !== 0)("opens no other user's file [S9c]", () => {
    create()
    chownSync(fileOf(), 65534, 65534)
    expect(() => open()).toThrow(/belongs to another user/)
  })

  it('refuses a file whose header names another session', async () => {
    create()
    await closeAll()
    renameSync(fileOf(), fileOf('aaaaaaaaaaaa'))
    expect(() => open('aaaaaaaaaaaa')).toThrow(
      expect.objectContaining({ code: 'read_only', message: expect.stringContaining('abcdefghij23') as string }),
    )
  })

  it('finds a session of any folder by its id without reading a file', async () => {
    create({ cwd: '/usr', id: 'aaaaaaaaaaaa' })
    appendEvents(create({ cwd: '/tmp' }), customs(2))
    await closeAll()
    writeFileSync(fileOf('aaaaaaaaaaaa', '/usr'), 'damaged')
    expect(open().log.head).toBe(2)
  })

  it('returns the last written session as the latest, and the younger of two', async () => {
    for (const [id, createdAt] of [
      ['aaaaaaaaaaaa', 1],
      ['bbbbbbbbbbbb', 2],
      ['cccccccccccc', 3],
    ] as const)
      create({ id, createdAt })
    await closeAll()
    utimesSync(fileOf('aaaaaaaaaaaa', '/tmp', 1), 1000, 3000)
    utimesSync(fileOf('bbbbbbbbbbbb', '/tmp', 2), 1000, 2000)
    utimesSync(fileOf('cccccccccccc', '/tmp', 3), 1000, 2000)
    expect(fileStore({ home }).latest('/tmp')).toBe('aaaaaaaaaaaa')
    rmSync(fileOf('aaaaaaaaaaaa', '/tmp', 1))
    expect(fileStore({ home }).latest('/tmp')).toBe('cccccccccccc')
  })

  it('skips other files when it looks for the latest session', () => {
    create()
    const folder = path.dirname(fileOf())
    for (const name of ['notes.txt', '5_ABCDEFGHIJKL.jsonl', `${sampleAt}_abcdefghij23.jsonl.torn-2`])
      writeFileSync(path.join(folder, name), 'x')
    writeFileSync(path.join(folder, '9_aaaaaaaaaaaa.jsonl'), '')
    mkdirSync(path.join(folder, '9_bbbbbbbbbbbb.jsonl'))
    expect(fileStore({ home }).latest('/tmp')).toBe('abcdefghij23')
  })

  it('writes nothing before the first session', () => {
    const store = fileStore({ home })
    expect(store.latest('/tmp')).toBeUndefined()
    expect(() => store.open('abcdefghij23')).toThrow(expect.objectContaining({ code: 'unknown_session' }))
    expect(readdirSync(home)).toEqual([])
  })
})
