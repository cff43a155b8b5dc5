// Tests which session is the latest after the clock was set back.
import { lutimesSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { valuesOf } from '../../support/values-of.ts'
import { appendEvents, messageEnd, sampleHeader } from './sample-records.ts'

let home: string
let store: FileStore
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-times-'))
  store = fileStore({ home })
})
afterEach(() => rmSync(home, { recursive: true }))

const [one, two, three] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'] as const
const hour = 3_600

async function write(log: SessionLog): Promise<void> {
  appendEvents(log, [messageEnd('aaaaaaaa', 'text')])
  await valuesOf(log.close())
}
const create = (id: string): Promise<void> => write(store.create(sampleHeader({ id })))
const order = async () =>
  (await lastValueFrom(store.list('/tmp'), { defaultValue: { logs: [] } })).logs.map(({ facts }) => facts.id)

/** As if the clock had been so many hours ahead when the files were written, the folder last. */
function setBack(hours: Readonly<Record<string, number>>): void {
  for (const [id, count] of Object.entries(hours)) setTime(store.fileOf(id), count)
  setTime(path.dirname(store.fileOf(one)), 3)
}
function setTime(file: string, hours: number): void {
  const seconds = Date.now() / 1_000 + hours * hour
  utimesSync(file, seconds, seconds)
}

describe('after the clock was set back', () => {
  it('a new session is the latest, and the others stay in their order', async () => {
    for (const id of [one, two]) await create(id)
    setBack({ [one]: 2, [two]: 1 })
    expect(store.latest('/tmp')).toBe(one)
    await create(three)
    expect([store.latest('/tmp'), await order()]).toEqual([three, [three, one, two]])
    expect(statSync(store.fileOf(one)).mtimeMs).toBeLessThan(Date.now())
  })

  it('a session that is opened and written is the latest', async () => {
    for (const id of [one, two, three]) await create(id)
    setBack({ [one]: 2, [two]: 1, [three]: -1 })
    await write(store.open(three).log)
    expect([store.latest('/tmp'), await order()]).toEqual([three, [three, one, two]])
  })

  it('a list settles the times too, and changes no order', async () => {
    for (const id of [one, two, three]) await create(id)
    setBack({ [one]: 2, [two]: 1, [three]: -1 })
    expect([await order(), store.latest('/tmp')]).toEqual([[one, two, three], one])
    expect(statSync(store.fileOf(one)).mtimeMs).toBeLessThan(Date.now())
    await write(store.open(three).log)
    expect([await order(), store.latest('/tmp')]).toEqual([[three, one, two], three])
  })

  it('a session that is only read stays where it is', async () => {
    for (const id of [one, two]) await create(id)
    setBack({ [one]: 2, [two]: -1 })
    await valuesOf(store.open(two, { readOnly: true }).log.close())
    expect(await order()).toEqual([one, two])
  })

  it('a chosen session is the latest until another one is written', async () => {
    for (const id of [one, two]) await create(id)
    setBack({ [one]: 2, [two]: -1 })
    store.makeLatest(two)
    expect(await order()).toEqual([two, one])
    await create(three)
    expect([store.latest('/tmp'), await order()]).toEqual([three, [three, two, one]])
  })

  it('no link is followed', async () => {
    await create(one)
    const target = path.join(home, 'target')
    writeFileSync(target, '')
    setTime(target, 2)
    const link = path.join(path.dirname(store.fileOf(one)), `1_${two}.jsonl`)
    symlinkSync(target, link)
    lutimesSync(link, Date.now() / 1_000 + hour, Date.now() / 1_000 + hour)
    setBack({ [one]: 2 })
    await create(three)
    expect(statSync(target).mtimeMs).toBeGreaterThan(Date.now())
  })
})

it('no time is changed if the folder has none after now', async () => {
  await create(one)
  setTime(store.fileOf(one), 2)
  await create(two)
  expect(statSync(store.fileOf(one)).mtimeMs).toBeGreaterThan(Date.now())
})
