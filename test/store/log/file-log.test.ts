// Tests the log of a session on disk: writing, syncing, reading and closing.
// Over 250 lines: one log in a folder that each test makes anew: writing, syncing and reading show one another’s work.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { concatWith, defer, lastValueFrom, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { sessionFolder } from '../../../lib/store/sessions/session-folder.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import type { FaultyFiles } from '../disk/faulty-files.ts'
import { faultyFiles, systemError } from '../disk/faulty-files.ts'
import {
  appendEvents,
  checkpointBody,
  custom,
  customs,
  nextBody,
  sampleAt,
  sampleHeader,
} from '../sessions/sample-records.ts'

let home: string
let files: FaultyFiles
let log: SessionLog

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-log-'))
  files = faultyFiles()
  log = fileStore({ home, files }).create(sampleHeader())
  files.calls.length = 0
})

afterEach(async () => {
  files.holdSyncs = false
  files.finishSync()
  await closing(log).catch(() => undefined)
  rmSync(home, { recursive: true })
})

const folder = () => path.join(home, 'sessions', sessionFolder('/tmp'))
const text = () => readFileSync(path.join(folder(), `${sampleAt}_abcdefghij23.jsonl`), 'utf8')
const closing = (opened: SessionLog) => lastValueFrom(opened.close().pipe(toArray()), { defaultValue: [] })
const durable = () => lastValueFrom(log.durable(), { defaultValue: undefined })
/** Waits until the requested syncs have begun. */
const stepOver = () => new Promise((resolve) => setImmediate(resolve))
const append = (data: unknown) => log.append(nextBody(log, custom(data)))
const file = (...lines: string[]) => [log.headerLine, ...lines, ''].join('\n')

function failing(code: string, message: RegExp): unknown {
  return expect.objectContaining({
    code: 'storage',
    message: expect.stringMatching(message) as string,
    data: { errno: code },
  })
}

describe('writing', () => {
  it('is complete when append returns, in one write', () => {
    const line = append('ö')
    expect([files.calls, text()]).toEqual([['writeSync'], file(line)])
  })

  it.each([0, 2])('refuses a line with a wrong number, and writes no part of it (%i)', (skipped) => {
    const first = append(1)
    const body = nextBody(log, custom(2)).replace(/^\{"seq":2,/, `{"seq":${1 + skipped},`)
    expect(() => log.append(body)).toThrow(expect.objectContaining({ code: 'internal' }) as Error)
    expect([text(), log.head]).toEqual([file(first), 1])
  })

  it('continues if the system wrote only a part [LOG-bytes]', () => {
    files.writeLimit = 7
    const lines = appendEvents(log, customs(3))
    expect(text()).toBe(file(...lines))
  })

  it.each([0, 1, 30])(
    'leaves no part of a line that found only %i bytes of space, and continues when there is space [LOG-partial]',
    (space) => {
      const first = append(1)
      files.space = space
      expect(() => append(2)).toThrow(
        failing('ENOSPC', /Could not write to .*jsonl: no space is left on the disk; free some space/),
      )
      expect([log.head, text()]).toEqual([1, file(first)])
      files.space = Infinity
      const second = append('two')
      expect([log.head, text()]).toEqual([2, file(first, second)])
      expect([...log.records()].map(({ line }) => line)).toEqual([first, second])
    },
  )

  it('leaves no part of a checkpoint that found no space', () => {
    files.space = 20
    expect(() => log.checkpoint(checkpointBody('entryaaa', 0, 'text'))).toThrow(failing('ENOSPC', /no space is left/))
    expect(text()).toBe(file())
  })

  it('writes nothing before the rest of a failed write is cut off [LOG-partial]', () => {
    const first = append(1)
    files.space = 20
    files.cutError = systemError('EIO')
    expect(() => append(2)).toThrow(failing('ENOSPC', /no space is left/))
    expect(text()).toMatch(/\n.{20}$/)
    files.space = Infinity
    expect(() => append(2)).toThrow(failing('EIO', /the disk reports an error/))
    expect([...log.records()].map(({ line }) => line)).toEqual([first])
    files.cutError = undefined
    const second = append(2)
    expect(text()).toBe(file(first, second))
  })

  it('does not wait for ever if the system writes nothing', () => {
    files.writeLimit = 0
    expect(() => append(1)).toThrow(/wrote nothing/)
    expect(text()).toBe(file())
  })

  it('creates no session if the header finds no space', () => {
    files.space = 10
    expect(() => fileStore({ home, files }).create(sampleHeader({ id: 'aaaaaaaaaaaa' }))).toThrow(
      failing('ENOSPC', /./),
    )
    const own = `${sampleAt}_abcdefghij23.jsonl`
    expect(readdirSync(folder())).toEqual([own, `${own}.lock`])
  })
})

describe('durable', () => {
  it('resolves after the write and the sync of file and folders [LOG-durable]', async () => {
    log.durable().subscribe({ next: () => files.calls.push('answer'), complete: () => files.calls.push('complete') })
    await durable()
    // The session's folder, and the two new folders above it with their parent.
    expect(files.calls.join(' ')).toMatch(/^fdatasync (fsync closeSync ){3,4}answer complete$/)
    files.calls.length = 0
    append(1)
    log.durable().subscribe({ next: () => files.calls.push('answer') })
    await durable()
    expect(files.calls).toEqual(['writeSync', 'fdatasync', 'answer'])
  })

  it('shares one sync among all waiting callers [LOG-sync]', async () => {
    await durable()
    files.calls.length = 0
    appendEvents(log, customs(3))
    await Promise.all(Array.from({ length: 100 }, durable))
    expect(files.calls.filter((call) => call === 'fdatasync')).toHaveLength(1)
  })

  it('a caller during a sync waits for the next one, and no other [LOG-sync]', async () => {
    await durable()
    files.calls.length = 0
    files.holdSyncs = true
    const answers: string[] = []
    append(1)
    log.durable().subscribe(() => answers.push('before'))
    await stepOver()
    for (let count = 2; count <= 50; count += 1) {
      append(count)
      log.durable().subscribe(() => answers.push('during'))
    }
    files.holdSyncs = false
    expect([answers, files.finishSync()]).toEqual([[], true])
    await durable()
    expect(answers).toEqual(['before', ...Array<string>(49).fill('during')])
    expect(files.calls.filter((call) => call === 'fdatasync')).toHaveLength(2)
  })

  it('waits for what was written before the call, not for what was written before the subscription', async () => {
    append(1)
    const durable$ = log.durable()
    await durable()
    files.calls.length = 0
    append(2)
    await lastValueFrom(durable$, { defaultValue: undefined })
    expect(files.calls).toEqual(['writeSync'])
  })

  it('resolves at once for synced lines, also while the next sync runs', async () => {
    append(1)
    const durable$ = log.durable()
    await durable()
    files.holdSyncs = true
    append(2)
    log.sync()
    const answers: string[] = []
    durable$.subscribe(() => answers.push('first'))
    log.durable().subscribe(() => answers.push('second'))
    expect(answers).toEqual(['first'])
  })

  it('runs at most two syncs at once in a store [LOG-bounded]', async () => {
    files.holdSyncs = true
    const store = fileStore({ home, files })
    const ids = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc', 'dddddddddddd']
    const logs = ids.map((id) => store.create(sampleHeader({ id })))
    files.calls.length = 0
    for (const opened of logs) opened.sync()
    await stepOver()
    expect(files.calls).toEqual(['fdatasync', 'fdatasync'])
    files.holdSyncs = false
    while (files.finishSync());
    await Promise.all(logs.map(closing))
  })

  it('does not emit after unsubscribe', async () => {
    append(1)
    const answers: string[] = []
    log
      .durable()
      .subscribe(() => answers.push('left'))
      .unsubscribe()
    await durable()
    expect(answers).toEqual([])
  })

  it('allows a handler to write and wait again', async () => {
    append(1)
    const answers: string[] = []
    const second$ = defer(() => {
      append(2)
      answers.push('first')
      return log.durable()
    })
    log
      .durable()
      .pipe(concatWith(second$))
      .subscribe({ complete: () => answers.push('second') })
    await durable()
    await durable()
    expect(answers).toEqual(['first', 'second'])
  })
})

describe('sync', () => {
  it('begins when the step of the event loop ends, for all lines of that step', async () => {
    append(1)
    log.sync()
    append(2)
    const durable$ = log.durable()
    expect(files.calls).toEqual(['writeSync', 'writeSync'])
    await lastValueFrom(durable$, { defaultValue: undefined })
    expect(files.calls.filter((call) => call === 'fdatasync')).toHaveLength(1)
  })

  it('starts one sync, and none if everything is synced', async () => {
    append(1)
    log.sync()
    log.sync()
    await durable()
    log.sync()
    await stepOver()
    expect(files.calls.filter((call) => call === 'fdatasync')).toHaveLength(1)
  })

  it('starts another one after the running one if lines were written meanwhile', async () => {
    files.holdSyncs = true
    append(1)
    log.sync()
    await stepOver()
    append(2)
    log.sync()
    files.holdSyncs = false
    files.finishSync()
    await durable()
    expect(files.calls.filter((call) => call === 'fdatasync')).toHaveLength(2)
  })
})

describe('after a sync that failed', () => {
  beforeEach(async () => {
    files.syncError = systemError('EIO')
    append(1)
    await expect(durable()).rejects.toEqual(failing('EIO', /Could not sync .*jsonl: the disk reports an error/))
    files.syncError = undefined
    files.calls.length = 0
  })

  it('accepts no more lines [LOG-failed_sync]', () => {
    const refusal = failing('EIO', /Could not write to .*a sync of it failed/)
    expect(() => append(2)).toThrow(refusal)
    expect(() => log.checkpoint(checkpointBody('entryaaa', 0, 'text'))).toThrow(refusal)
    expect([log.head, files.calls]).toEqual([1, []])
  })

  it('is never repeated [LOG-failed_sync]', async () => {
    log.sync()
    await expect(durable()).rejects.toEqual(failing('EIO', /Could not sync/))
    await expect(closing(log)).rejects.toEqual(failing('EIO', /Could not sync/))
    expect(files.calls).toEqual(['closeSync'])
  })

  it('still emits the written lines', () => {
    expect([...log.records()]).toHaveLength(1)
  })
})

it('syncs again after a sync that found no descriptor for the folder: no data was lost [SOCKET-descriptors]', async () => {
  let isShort = true
  const openSync = (...open: Parameters<typeof files.openSync>) => {
    if (isShort) throw systemError('EMFILE')
    return faultyFiles().openSync(...open)
  }
  await closing(log)
  log = fileStore({ home, files: { ...files, openSync } }).create(sampleHeader({ id: 'aaaaaaaaaaaa' }))
  files.calls.length = 0
  const syncsOf = () => files.calls.filter((call) => call === 'fdatasync').length
  append(1)
  log.sync()
  await expect(durable()).rejects.toMatchObject({ code: 'overloaded', data: { errno: 'EMFILE' } })
  await stepOver()
  expect([syncsOf(), log.readOnly]).toEqual([1, undefined])
  isShort = false
  append(2)
  await durable()
  expect([syncsOf(), [...log.records()].length]).toEqual([2, 2])
})

it('emits the failure of their sync to all waiting callers', async () => {
  files.syncError = systemError('EIO')
  append(1)
  const outcomes = await Promise.allSettled([durable(), durable(), durable()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

describe('close', () => {
  it('syncs before it closes the file', async () => {
    await durable()
    files.calls.length = 0
    append(1)
    await closing(log)
    expect(files.calls).toEqual(['writeSync', 'fdatasync', 'closeSync'])
  })

  it('continues after unsubscribe', async () => {
    append(1)
    log.close().subscribe().unsubscribe()
    await closing(log)
    expect(files.calls.filter((call) => call === 'closeSync').length).toBeGreaterThan(0)
    expect(() => append(2)).toThrow(/was closed/)
  })
})

describe('a closed log', () => {
  it('is not read any more: its descriptor can belong to another file', async () => {
    append(1)
    const records = log.records()
    await closing(log)
    const refused: unknown = expect.objectContaining({
      code: 'storage',
      message: expect.stringMatching(/read .*was closed/) as string,
    })
    expect(() => [...records]).toThrow(refused)
    expect(() => log.entries?.(1, 1)).toThrow(refused)
  })

  it('closes its file and releases its lock once, however often it is closed', async () => {
    await durable()
    files.calls.length = 0
    await Promise.all([closing(log), closing(log)])
    await closing(log)
    expect(files.calls).toEqual(['closeSync'])
    expect(readdirSync(folder())).toEqual([`${sampleAt}_abcdefghij23.jsonl`])
  })
})

describe('reading', () => {
  it('reads pieces of at most 64 KiB, and from near the wanted record [SLOW-reads]', () => {
    appendEvents(
      log,
      customs(200).map(() => custom('x'.repeat(5000))),
    )
    files.reads.length = 0
    expect([...log.records()]).toHaveLength(200)
    expect(Math.max(...files.reads)).toBe(64 * 1024)
    files.reads.length = 0
    expect([...log.records(190)].map(({ seq }) => seq)).toEqual([191, 192, 193, 194, 195, 196, 197, 198, 199, 200])
    expect(files.reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(64 * 1024 + 15 * 5200)
  })

  it('reads nothing before it is subscribed', () => {
    append(1)
    const records = log.records()[Symbol.iterator]()
    expect(files.reads).toEqual([])
    expect(records.next().done).toBe(false)
  })

  it('joins lines of any length', () => {
    const lengths = [1, 65_535, 65_536, 65_537, 3_000_000, 10]
    for (const length of lengths) append('ü'.repeat(length))
    expect([...log.records()].map(({ event }) => (event.type === 'custom' ? String(event.data).length : 0))).toEqual(
      lengths,
    )
  })

  it('passes on the error of the system', () => {
    append(1)
    files.readError = systemError('EIO')
    expect(() => [...log.records()]).toThrow(failing('EIO', /Could not read .*jsonl: the disk reports an error/))
  })
})
