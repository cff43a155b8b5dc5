// Tests a log whose file is removed, replaced or changed by another program while it is open.
import {
  appendFileSync,
  copyFileSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { faultyFiles, systemError } from '../disk/faulty-files.ts'
import type { FaultyFiles } from '../disk/faulty-files.ts'
import { custom, nextBody, sampleHeader } from '../sessions/sample-records.ts'

let home: string
let files: FaultyFiles
let store: FileStore
let log: SessionLog
let file: string

beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-fault-'))
  files = faultyFiles()
  store = fileStore({ home, files })
  log = store.create(sampleHeader())
  file = store.fileOf(log.header.id)
  append('stored')
  await durable()
})

afterEach(async () => {
  await closing().catch(() => undefined)
  rmSync(home, { recursive: true, force: true })
})

const append = (data: unknown) => log.append(nextBody(log, custom(data)))
const durable = () => lastValueFrom(log.durable(), { defaultValue: undefined })
const closing = () => lastValueFrom(log.close().pipe(toArray()), { defaultValue: [] })
const lost = (change: string, message: RegExp): unknown =>
  expect.objectContaining({
    code: 'storage',
    message: expect.stringMatching(message) as string,
    data: expect.objectContaining({ change }) as unknown,
  })

/** Copies the log and puts the copy in its place. */
function replaceByCopy(): void {
  copyFileSync(file, `${file}.copy`)
  renameSync(`${file}.copy`, file)
}

describe('a log whose file', () => {
  it.each([
    ['is removed', 'removed', /was removed .* start a new session/, () => rmSync(file)],
    ['is moved away', 'removed', /was removed/, () => renameSync(file, `${file}.old`)],
    ['goes with the whole state folder', 'removed', /was removed/, () => rmSync(home, { recursive: true })],
    ['loses its folder to a file', 'removed', /was removed/, () => replaceFolderByFile()],
    ['is replaced by a copy', 'replaced', /was replaced .* open it again/, replaceByCopy],
    ['is replaced by a link to itself', 'replaced', /was replaced/, () => replaceByLink()],
    ['is truncated', 'truncated', /was truncated .*\(it has \d+ bytes instead of \d+\)/, () => truncateSync(file, 7)],
    ['is emptied', 'truncated', /was truncated/, () => truncateSync(file)],
    ['is appended to', 'appended', /written to by another program .*bytes/, () => appendFileSync(file, '{}\n')],
  ])('%s acknowledges nothing any more, and takes no line [S24a]', async (_, change, message, act) => {
    append('before')
    act()
    append('after')
    await expect(durable()).rejects.toEqual(lost(change, message))
    expect(log.readOnly).toEqual(lost(change, message))
    expect(() => append('refused')).toThrow(lost(change, message))
    await expect(durable()).rejects.toEqual(lost(change, message))
    await expect(closing()).rejects.toEqual(lost(change, message))
  })

  it('is put back after a sync has missed it takes no line either [S24a]', async () => {
    renameSync(file, `${file}.old`)
    append('missed')
    await expect(durable()).rejects.toEqual(lost('removed', /was removed/))
    renameSync(`${file}.old`, file)
    await expect(durable()).rejects.toEqual(lost('removed', /was removed/))
    expect(() => append('refused')).toThrow(lost('removed', /was removed/))
    await expect(closing()).rejects.toEqual(lost('removed', /was removed/))
  })

  it('has a second name, as a backup makes it, goes on [S24b]', async () => {
    linkSync(file, `${file}.backup`)
    append('more')
    await durable()
    expect(readFileSync(`${file}.backup`, 'utf8')).toContain('more')
  })

  it('is touched, and whose folder is renamed and linked, goes on', async () => {
    const folder = path.dirname(file)
    renameSync(folder, `${folder}-moved`)
    symlinkSync(`${folder}-moved`, folder)
    append('more')
    await durable()
  })

  it('has the rest of a failed write goes on', async () => {
    append('whole')
    files.space = 20
    files.cutError = systemError('EIO')
    expect(() => append('no space')).toThrow(/no space is left/)
    await durable()
    files.space = Infinity
    files.cutError = undefined
    append('whole again')
    await durable()
  })

  it('cannot be looked at is not acknowledged either', async () => {
    const folder = path.dirname(file)
    renameSync(folder, `${folder}-moved`)
    symlinkSync(folder, folder)
    append('more')
    await expect(durable()).rejects.toMatchObject({ code: 'storage', data: { errno: 'ELOOP' } })
  })
})

it('is compared at a sync, not at each line', async () => {
  rmSync(file)
  append('one')
  append('two')
  expect(log.readOnly).toBeUndefined()
  log.sync()
  await expect(durable()).rejects.toEqual(lost('removed', /./))
})

it('can still be read after its file was removed', async () => {
  rmSync(file)
  append('more')
  await expect(durable()).rejects.toEqual(lost('removed', /./))
  expect([...log.records()]).toHaveLength(2)
})

function replaceFolderByFile(): void {
  const folder = path.dirname(file)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
}

function replaceByLink(): void {
  renameSync(file, `${file}.real`)
  symlinkSync(`${file}.real`, file)
}
