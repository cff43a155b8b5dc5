// Tests the list of sessions and its index.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { listLogs } from '../../../lib/store/sessions/list-logs.ts'
import type { LogList } from '../../../lib/store/sessions/list-logs.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { readSessionIndex } from '../../../lib/store/sessions/session-index.ts'
import { openBody } from '../../../lib/streams/log/line-event.ts'
import { valuesOf } from '../../support/values-of.ts'
import { appendEvents, messageEnd, sampleAt, sampleHeader } from './sample-records.ts'

let home: string
let store: FileStore
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-list-'))
  store = fileStore({ home })
})
afterEach(() => rmSync(home, { recursive: true }))

async function made(
  id: string,
  text: string,
  { cwd = '/tmp', createdAt = sampleAt, parent = '' } = {},
): Promise<string> {
  const branched = parent === '' ? {} : { parent: { sessionId: parent, entryId: 'aaaaaaaa' } }
  const log = store.create(sampleHeader({ id, cwd, createdAt, ...branched }))
  appendEvents(log, [messageEnd('aaaaaaaa', text)])
  await valuesOf(log.close())
  return store.fileOf(id)
}
const list = (cwd?: string): Promise<LogList> =>
  lastValueFrom(store.list(cwd), { defaultValue: { logs: [], problems: ['nothing'] } })
const words = async (cwd?: string) => (await list(cwd)).logs.map(({ facts }) => facts.lastWords)
const indexOf = (file: string) => path.join(path.dirname(file), 'index.json')
const [one, two, three] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'] as const

describe('a list of sessions', () => {
  it('is empty if there are none', async () => {
    expect(await list()).toEqual({ logs: [], problems: [] })
    expect(await list('/tmp')).toEqual({ logs: [], problems: [] })
    expect(existsSync(path.join(home, 'sessions'))).toBe(false)
  })

  it('has those of one folder, or of all, with the time of the last use', async () => {
    const files = [await made(one, 'one'), await made(two, 'two'), await made(three, 'three', { cwd: '/' })]
    for (const [index, file] of files.entries()) utimesSync(file, 1_000 - index, 1_000 - index)
    const { logs } = await list('/tmp')
    expect(logs.map(({ facts, file, isLatest }) => [facts.id, file, isLatest])).toEqual([
      [one, files[0], true],
      [two, files[1], false],
    ])
    expect(store.latest('/tmp')).toBe(one)
    expect((await words()).sort()).toEqual(['one', 'three', 'two'])
  })

  it('reads a log only when its file has changed', async () => {
    const file = await made(one, 'one')
    utimesSync(file, 4, 4)
    await words()
    // the same size and time: the new content is not read
    writeFileSync(file, readFileSync(file, 'utf8').replace('"one"', '"two"'))
    utimesSync(file, 4, 4)
    expect(await words()).toEqual(['one'])
    utimesSync(file, 5, 5)
    expect(await words()).toEqual([undefined]) // its checksum does not fit
    expect((await list()).logs[0]?.facts.damaged).toContain('line 2')
  })

  it('follows what is appended, added and removed', async () => {
    const file = await made(one, 'one')
    await made(two, 'two')
    await words()
    const { log } = store.open(one)
    appendEvents(log, [messageEnd('bbbbbbbb', 'more')])
    await valuesOf(log.close())
    rmSync(store.fileOf(two))
    await made(three, 'three')
    expect((await words()).sort()).toEqual(['more', 'three'])
    expect([...readSessionIndex(path.dirname(file)).keys()].sort()).toEqual([
      `${sampleAt}_${one}.jsonl`,
      `${sampleAt}_${three}.jsonl`,
    ])
  })

  it.each<[string, (file: string) => void]>([
    ['missing', (file) => rmSync(indexOf(file))],
    ['damaged', (file) => writeFileSync(indexOf(file), readFileSync(indexOf(file), 'utf8').replace('"one"', '"lie"'))],
    ['empty', (file) => writeFileSync(indexOf(file), '')],
    ['of other times', (file) => rewrite(file, { mtimeMs: 7 })],
    ['about files that are not there', (file) => rewrite(file, { name: `1_${two}.jsonl` })],
  ])('rebuilds an index that is %s from the files', async (_, spoil) => {
    const file = await made(one, 'one')
    await words()
    spoil(file)
    expect(await words()).toEqual(['one'])
    expect([...readSessionIndex(path.dirname(file)).values()]).toMatchObject([{ facts: { id: one, lastWords: 'one' } }])
  })

  it('is returned although its index cannot be written', async () => {
    const file = await made(one, 'one')
    mkdirSync(indexOf(file))
    const { logs, problems } = await list()
    expect([logs.length, problems]).toEqual([1, [expect.stringContaining('index.json')]])
  })

  it('skips everything that is no log: links, folders, empty files, other names', async () => {
    const file = await made(one, 'one')
    const folder = path.dirname(file)
    symlinkSync(file, path.join(folder, `2_${two}.jsonl`))
    mkdirSync(path.join(folder, `3_${three}.jsonl`))
    writeFileSync(path.join(folder, '4_dddddddddddd.jsonl'), '')
    writeFileSync(path.join(folder, 'notes.txt'), 'notes')
    expect(await words()).toEqual(['one'])
  })

  it('reports a folder that is a link, and lists the others', async () => {
    const file = await made(one, 'one')
    symlinkSync(path.dirname(file), path.join(home, 'sessions', 'link'))
    const { logs, problems } = await list()
    expect([logs.length, problems]).toEqual([1, [expect.stringContaining('symbolic link')]])
  })

  it('has the logs of a thousand folders, if the first one is not in its index yet', async () => {
    const folder = path.dirname(await made(one, 'one'))
    const others = Array.from({ length: 1_000 }, (_, number) => path.join(home, 'sessions', `other-${number}`))
    for (const other of others) mkdirSync(other)
    const [list] = await valuesOf(listLogs(home, [folder, ...others]))
    expect([list?.logs.length, list?.problems]).toEqual([1, []])
  })

  it('of the branches of a session reads no changed log that is known to be none of them', async () => {
    await made(one, 'one')
    const [other, branch] = [await made(two, 'two'), await made(three, 'three', { parent: one })]
    const children = async () => (await valuesOf(store.children(one)))[0]?.logs.map(({ facts }) => facts.lastWords)
    expect(await children()).toEqual(['three']) // none is known yet
    for (const file of [other, branch]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"t(wo|hree)"/, '"changed"'))
      utimesSync(file, 5, 5)
    }
    expect(await children()).toEqual([undefined]) // read again: its checksum does not fit
    const known = [...readSessionIndex(path.dirname(other)).values()].map(({ facts }) => [facts.id, facts.lastWords])
    expect(known).toEqual(expect.arrayContaining([[two, 'two'], [three, undefined]])) // prettier-ignore
    expect((await words()).sort()).toEqual(['one', undefined, undefined])
  })

  it('is right twice if it is requested twice at once', async () => {
    for (const id of [one, two, three]) await made(id, id)
    const [first, second] = await Promise.all([list(), list()])
    expect(first).toEqual(second)
    expect(first.problems).toEqual([])
    expect((await words()).length).toBe(3)
  })
})

/** A whole index with other content. */
function rewrite(file: string, change: object): void {
  const index = JSON.parse(readFileSync(indexOf(file), 'utf8')) as { logs: object[]; crc?: string }
  const { crc, ...rest } = index
  const logs = index.logs.map((log) => ({ ...log, ...change, facts: { ...factsIn(log), lastWords: 'lie' } }))
  writeFileSync(indexOf(file), `${sealLine(openBody({ ...rest, logs }))}\n`)
}

function factsIn(log: object): object {
  return 'facts' in log && typeof log.facts === 'object' && log.facts !== null ? log.facts : {}
}
