// Tests the verification and repair of session logs.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sessionFiles } from '../../../lib/services/stored/stored-backend.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { appendEvents, customs, sampleHeader } from '../../store/sessions/sample-records.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let store: FileStore
const session = sampleHeader().id

beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-files-'))
  store = fileStore({ home })
  const log = store.create(sampleHeader())
  appendEvents(log, customs(2))
  await valuesOf(log.close())
})
afterEach(() => rmSync(home, { recursive: true }))

it('verifies a log by its session and by its file, and changes nothing [COMMAND-repair_session]', async () => {
  const file = store.fileOf(session)
  const verdict = { file, clean: true, lines: 3, head: 2, damaged: 0, damages: [] }
  const { verifySession } = sessionFiles(store)
  expect(await valuesOf(verifySession({ session }))).toEqual([verdict])
  expect(await valuesOf(verifySession({ file }))).toEqual([verdict])
  expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
})

it('repairs a damaged log into a copy that verifies clean [COMMAND-repair_session]', async () => {
  const { verifySession, repairSession } = sessionFiles(store)
  expect(await valuesOf(repairSession({ session }))).toMatchObject([{ clean: true, lost: [] }])
  appendFileSync(store.fileOf(session), 'damaged\ntorn')
  expect(await valuesOf(verifySession({ session }))).toMatchObject([
    { clean: false, damaged: 2, damages: [{ line: 4 }, { line: 5 }] },
  ])
  for (const { repaired, lost } of await valuesOf(repairSession({ session }))) {
    expect(lost).toHaveLength(2)
    expect(await valuesOf(verifySession({ file: repaired ?? '' }))).toMatchObject([{ clean: true, head: 2 }])
  }
  expect.assertions(4)
})

/** 20,000 lines, the last one torn: reading them takes many time slices. */
async function madeLong(): Promise<string> {
  const id = 'bbbbbbbbbbbb'
  const log = store.create(sampleHeader({ id }))
  appendEvents(log, customs(20_000))
  await valuesOf(log.close())
  appendFileSync(store.fileOf(id), 'torn')
  return id
}

it('yields to the event loop while a long log is verified or repaired', async () => {
  const long = await madeLong()
  const { verifySession, repairSession } = sessionFiles(store)
  for (const answer$ of [verifySession({ session: long }), repairSession({ session: long })]) {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    expect(await valuesOf<{ readonly damaged: number }>(answer$)).toMatchObject([{ damaged: 1 }])
    clearInterval(counting)
    expect(turns).toBeGreaterThan(0)
  }
})

it('leaves no copy if the caller unsubscribes during a repair', async () => {
  const long = await madeLong()
  const { repairSession } = sessionFiles(store)
  const folder = path.dirname(store.fileOf(long))
  const names = readdirSync(folder)
  const repair = repairSession({ session: long }).subscribe()
  await vi.waitFor(() => expect(readdirSync(folder)).not.toEqual(names), { interval: 1, timeout: 15_000 })
  repair.unsubscribe()
  expect(readdirSync(folder)).toEqual(names)
})

it.each([
  [{}, 'bad_request'],
  [{ session, file: '/log.jsonl' }, 'bad_request'],
  [{ file: 'log.jsonl' }, 'bad_request'],
  [{ file: '/nowhere/log.jsonl' }, 'bad_request'],
  [{ session: 'zzzzzzzzzzzz' }, 'unknown_session'],
])('refuses %j', async (target, code) => {
  const { verifySession, repairSession } = sessionFiles(store)
  await expect(valuesOf(verifySession(target))).rejects.toMatchObject({ code })
  await expect(valuesOf(repairSession(target))).rejects.toMatchObject({ code })
})
