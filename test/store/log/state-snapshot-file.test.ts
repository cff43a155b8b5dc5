// Tests the state snapshot beside a log: when it is stored, trusted and verified.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stateSnapshotPath, readStateSnapshot } from '../../../lib/store/log/state-snapshot-file.ts'
import { openFileLog } from '../../../lib/store/log/open-file-log.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import type { FaultyFiles } from '../disk/faulty-files.ts'
import { faultyFiles, systemError } from '../disk/faulty-files.ts'
import {
  appendEvents,
  checkpointBody,
  custom,
  customs,
  messageEnd,
  messageStart,
  sampleHeader,
} from '../sessions/sample-records.ts'

const sessionId = 'abcdefghij23'
const header = sealLine(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() }).slice(0, -1))
const state = { of: 'the session' }

let folder: string
let file: string
let files: FaultyFiles
let log: SessionLog

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-kept-'))
  file = path.join(folder, 'log.jsonl')
  files = faultyFiles()
  writeFileSync(file, `${header}\n`)
  log = open()
})

afterEach(async () => {
  await closed().catch(() => undefined)
  rmSync(folder, { recursive: true })
})

const open = () => openFileLog({ file, sessionId, files }).log
const closed = () => lastValueFrom(log.close(), { defaultValue: undefined })
const keep = (seq: number, contextFrom = seq) => log.keep?.({ seq, contextFrom, state })
const seqs = (after = 0) => [...log.records(after)].map(({ seq }) => seq)

async function reopen(): Promise<void> {
  await closed()
  log = open()
}

/** Changes one byte of the log. */
function damage(words: string): void {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(words)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

describe('a snapshot', () => {
  it('exists when the log is opened again, and the log continues behind it', async () => {
    appendEvents(log, customs(3))
    keep(3, 2)
    await reopen()
    expect([log.kept, log.head, log.unkept]).toEqual([expect.objectContaining({ seq: 3, contextFrom: 2, state }), 3, 0])
    const [line = ''] = appendEvents(log, [custom('four')])
    expect([log.head, log.unkept, seqs(), seqs(3)]).toEqual([4, Buffer.byteLength(line) + 1, [1, 2, 3, 4], [4]])
  })

  it('is followed by a count of the lines since then', () => {
    expect(log.unkept).toBe(Buffer.byteLength(header) + 1)
    const [line = ''] = appendEvents(log, customs(1))
    expect(log.unkept).toBe(Buffer.byteLength(`${header}\n${line}\n`))
    keep(1)
    expect(log.unkept).toBe(0)
  })

  it('exists for a log that was opened with it, too', async () => {
    appendEvents(log, customs(2))
    keep(2)
    await reopen()
    log.checkpoint(checkpointBody('entryaaa', 0, 'piece'))
    appendEvents(log, customs(1))
    keep(3)
    await reopen()
    expect([log.kept?.seq, log.head, [...(log.earlier?.() ?? [])].length]).toEqual([3, 3, 1])
  })

  it('has the line at which the context begins, or the first line if it is unknown', () => {
    appendEvents(log, [custom('x'.repeat(70_000)), custom('y'.repeat(70_000)), custom('z')])
    const second = readFileSync(file).indexOf('{"seq":2,')
    keep(3, 2)
    expect(readStateSnapshot(file)?.from).toEqual({ seq: 2, offset: second, line: 3 })
    keep(3, 0)
    expect(readStateSnapshot(file)?.from).toEqual({ seq: 1, offset: Buffer.byteLength(header) + 1, line: 2 })
  })
})

describe('no snapshot is stored', () => {
  const none = () => !existsSync(stateSnapshotPath(file))

  it.each([1, 3])('of line %i if the last is line 2', (seq) => {
    appendEvents(log, customs(2))
    keep(seq)
    expect(none()).toBe(true)
  })

  it('if a checkpoint is the last line', () => {
    appendEvents(log, [messageStart('entryaaa')])
    log.checkpoint(checkpointBody('entryaaa', 0, 'piece'))
    keep(1)
    expect(none()).toBe(true)
    appendEvents(log, [messageEnd('entryaaa', 'piece')])
    keep(2)
    expect(none()).toBe(false)
  })

  it('if a checkpoint was the last line when the log was opened', async () => {
    appendEvents(log, [messageStart('entryaaa')])
    log.checkpoint(checkpointBody('entryaaa', 0, 'piece'))
    await reopen()
    keep(1)
    expect(none()).toBe(true)
  })

  it('of a log that is read-only because of damage', () => {
    appendEvents(log, customs(1))
    log.condemn?.(new Failure('read_only', 'damaged'))
    keep(1)
    expect(none()).toBe(true)
  })

  it('if a sync failed: the content of the file is unknown', async () => {
    files.syncError = systemError('EIO')
    appendEvents(log, customs(1))
    await expect(lastValueFrom(log.durable(), { defaultValue: undefined })).rejects.toMatchObject({ code: 'storage' })
    keep(1)
    expect(none()).toBe(true)
  })
})

describe('a log that is marked as damaged', () => {
  it('accepts no line any more, and reports the first reason', () => {
    appendEvents(log, customs(1))
    const first = new Failure('read_only', 'the first')
    log.condemn?.(first)
    log.condemn?.(new Failure('read_only', 'the second'))
    expect(log.readOnly).toBe(first)
    expect(() => appendEvents(log, customs(1))).toThrow(first)
    expect(() => log.checkpoint(checkpointBody('entryaaa', 0, 'x'))).toThrow(first)
    expect([log.head, seqs()]).toEqual([1, [1]])
  })
})

describe('the part that a snapshot covers', () => {
  it('is emitted afterwards, entry by entry; without a snapshot nothing is emitted', async () => {
    appendEvents(log, [messageEnd('entryaaa', 'one'), custom(1), messageEnd('entrybbb', 'two')])
    expect([...(log.earlier?.() ?? [])]).toEqual([])
    keep(3)
    await reopen()
    const entries = [...(log.earlier?.() ?? [])].flat()
    expect(entries.map(({ entryId, message }) => [entryId, message])).toEqual([
      ['entryaaa', expect.objectContaining({ content: [{ type: 'text', text: 'one' }] })],
      ['entrybbb', expect.objectContaining({ content: [{ type: 'text', text: 'two' }] })],
    ])
    expect(log.entries?.(2, 3).map(({ entryId }) => entryId)).toEqual(['entrybbb'])
    expect(log.entries?.(1, 1).map(({ entryId }) => entryId)).toEqual(['entryaaa'])
  })

  it('is not read if only later lines are requested, nor a line before the wanted one', async () => {
    appendEvents(log, [custom('x'.repeat(300_000)), messageEnd('entryaaa', 'one'), messageEnd('entrybbb', 'two')])
    appendEvents(log, [custom('y'.repeat(70_000)), messageEnd('entryccc', 'three')])
    keep(5, 2)
    await reopen()
    appendEvents(log, [custom('z'.repeat(70_000)), custom('last')])
    for (let after = 0; after < 7; after += 1) expect(seqs(after), String(after)).toHaveLength(7 - after)
    expect(log.entries?.(2, 2).map(({ entryId }) => entryId)).toEqual(['entryaaa'])
    expect(log.entries?.(5, 5).map(({ entryId }) => entryId)).toEqual(['entryccc'])
    files.reads.length = 0
    expect(seqs(1)).toHaveLength(6)
    expect(files.reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(250_000)
  })

  it('is followed by lines with continuous numbers', async () => {
    appendEvents(log, [custom('x'.repeat(70_000)), custom(2)])
    keep(2, 1)
    await reopen()
    appendEvents(log, [custom('third')])
    damage('third')
    expect(() => seqs(2)).toThrow(expect.objectContaining({ data: expect.objectContaining({ line: 4 }) as object }))
  })

  it('is damaged: its line is named at verification and at reading', async () => {
    appendEvents(log, [custom('first'), custom('second'), custom('third')])
    keep(3)
    await closed()
    damage('second')
    log = open()
    const refused: unknown = expect.objectContaining({
      code: 'read_only',
      data: expect.objectContaining({ file, line: 3 }) as object,
    })
    expect([log.readOnly, log.head]).toEqual([undefined, 3])
    expect(() => [...(log.earlier?.() ?? [])]).toThrow(refused)
    expect(() => seqs()).toThrow(refused)
  })

  it('is not trusted if line 1 differs', async () => {
    appendEvents(log, customs(1))
    keep(1)
    await closed()
    damage('createdAt')
    expect(open).toThrow(
      expect.objectContaining({ code: 'read_only', data: expect.objectContaining({ line: 1 }) as object }),
    )
  })
})

describe('a line', () => {
  it('is read whole if the system returns it in pieces', async () => {
    const { readSync } = files
    files.readSync = (descriptor, buffer, offset, length, position) =>
      readSync(descriptor, buffer, offset, Math.min(length, 7), position)
    appendEvents(log, [messageEnd('entryaaa', 'one')])
    keep(1)
    await reopen()
    expect(log.kept?.seq).toBe(1)
    const [entry] = [...(log.earlier?.() ?? [])].flat()
    expect(entry?.message).toMatchObject({ content: [{ type: 'text', text: 'one' }] })
  })

  it('ends at once if the file ends before it should', () => {
    appendEvents(log, customs(1))
    files.readSync = () => 0
    keep(1)
    expect(readStateSnapshot(file)?.seq).toBe(1)
  })
})
