// Tests `list_sessions`, `switch_session` and `delete_session` on stored sessions.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manageSessions } from '../../../lib/services/stored/stored-backend.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { appendEvents, messageEnd, sampleAt, sampleHeader } from '../../store/sessions/sample-records.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let store: FileStore
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-manage-'))
  store = fileStore({ home })
})
afterEach(() => rmSync(home, { recursive: true }))

const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'] as const
const [one, two, three] = ids
const manage = () => manageSessions(store)

/** Creates the sessions, the oldest first. */
async function made(cwd = '/tmp'): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const log = store.create(sampleHeader({ id, cwd, createdAt: sampleAt + index }))
    appendEvents(log, index === 0 ? [] : [messageEnd('aaaaaaaa', `secret ${id}`)])
    await valuesOf(log.close())
    utimesSync(store.fileOf(id), 1_000 + index, 1_000 + index)
  }
}

async function listed(command: Parameters<ReturnType<typeof manage>['listSessions']>[0]) {
  const [list] = await valuesOf(manage().listSessions(command))
  return { ids: list?.sessions.map(({ id }) => id), total: list?.total, more: list?.more }
}

describe('list_sessions', () => {
  it('leaves out empty sessions if includeEmpty is false [FIRST-lists]', async () => {
    await made()
    expect(await listed({ includeEmpty: false })).toMatchObject({ ids: [three, two], total: 2 })
    expect(await listed({})).toMatchObject({ total: 3 })
  })

  it('returns pages, each after a session of the previous one [COMMAND-list_sessions]', async () => {
    await made()
    expect(await listed({ cwd: '/tmp' })).toEqual({ ids: [three, two, one], total: 3, more: false })
    expect(await listed({ limit: 2 })).toEqual({ ids: [three, two], total: 3, more: true })
    expect(await listed({ limit: 2, after: two })).toEqual({ ids: [one], total: 3, more: false })
    expect(await listed({ cwd: '/usr' })).toEqual({ ids: [], total: 0, more: false })
    expect(await listed({ cwd: '/usr', all: true })).toMatchObject({ total: 3 })
  })

  it('finds the sessions that have a text in a message or in their title [COMMAND-list_sessions]', async () => {
    await made()
    const [found] = await valuesOf(manage().listSessions({ text: 'SECRET b' }))
    expect(found).toMatchObject({ total: 1, problems: [], sessions: [{ id: two, match: `secret ${two}` }] })
    expect(await listed({ text: 'secret', limit: 1 })).toEqual({ ids: [three], total: 2, more: true })
    expect(await listed({ text: 'nothing' })).toEqual({ ids: [], total: 0, more: false })
    const titled = store.create(sampleHeader({ id: 'dddddddddddd', cwd: '/tmp', title: 'Top Secret' }))
    await valuesOf(titled.close())
    expect(await listed({ text: 'top s' })).toMatchObject({ ids: ['dddddddddddd'] })
  })

  it('refuses a relative folder, and a page after an unknown session', async () => {
    await expect(listed({ cwd: 'work' })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(listed({ after: one })).rejects.toMatchObject({ code: 'unknown_session' })
  })
})

describe('switch_session', () => {
  it('makes a session the latest of its folder, and changes nothing in it [COMMAND-switch_session]', async () => {
    await made()
    const before = readFileSync(store.fileOf(one))
    expect(store.latest('/tmp')).toBe(three)
    expect(await valuesOf(manage().switchSession({ session: one }))).toEqual([{ cwd: '/tmp' }])
    expect([store.latest('/tmp'), readFileSync(store.fileOf(one)).equals(before)]).toEqual([one, true])
    expect(await listed({})).toMatchObject({ ids: [one, three, two] })
  })

  it('does so also if another has a time in the future', async () => {
    await made()
    const future = Date.now() / 1_000 + 10_000
    utimesSync(store.fileOf(two), future, future)
    await valuesOf(manage().switchSession({ session: one }))
    expect(store.latest('/tmp')).toBe(one)
  })
})

describe('delete_session', () => {
  it('removes log, torn ends, copies, full outputs and the index entry [COMMAND-delete_session]', async () => {
    await made()
    await listed({})
    const file = store.fileOf(two)
    const stem = file.replace(/\.jsonl$/, '')
    writeFileSync(`${file}.torn-3`, 'torn')
    writeFileSync(`${stem}.repaired.jsonl`, 'copy')
    writeFileSync(`${file}.lock`, '{"pid":1') // older than 3 s: the lock of a dead process
    utimesSync(`${file}.lock`, 1, 1)
    const spill = path.join(home, 'spill', two)
    mkdirSync(spill, { recursive: true })
    writeFileSync(path.join(spill, 'a.txt'), 'output')
    const removed = [file, `${file}.torn-3`, `${stem}.repaired.jsonl`, spill].sort()
    const answers = await valuesOf(manage().deleteSession({ session: two }))
    expect(answers.map((answer) => answer.removed.toSorted())).toEqual([removed])
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes(two))).toEqual([])
    expect(existsSync(spill)).toBe(false)
    expect(readFileSync(path.join(path.dirname(file), 'index.json'), 'utf8')).not.toContain(two)
    expect(await listed({})).toMatchObject({ ids: [three, one] })
  })

  it('removes a damaged one', async () => {
    await made()
    appendFileSync(store.fileOf(two), 'damaged\n')
    await valuesOf(manage().deleteSession({ session: two }))
    expect(await listed({})).toMatchObject({ ids: [three, one] })
  })

  it('refuses one that is open [COMMAND-delete_session]', async () => {
    await made()
    const { log } = store.open(one)
    await expect(valuesOf(manage().deleteSession({ session: one }))).rejects.toMatchObject({ code: 'session_locked' })
    await valuesOf(log.close())
    expect(existsSync(store.fileOf(one))).toBe(true)
  })
})

it.each(['zzzzzzzzzzzz', '../../etc', ''])('all of them refuse the id %j as unknown [S9a]', async (session) => {
  await made()
  const unknown = expect.objectContaining({ code: 'unknown_session' }) as unknown
  await expect(valuesOf(manage().switchSession({ session }))).rejects.toEqual(unknown)
  await expect(valuesOf(manage().deleteSession({ session }))).rejects.toEqual(unknown)
  expect(await listed({})).toMatchObject({ total: 3 })
})
