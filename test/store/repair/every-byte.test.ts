// Tests that a cut or changed byte never crashes the opening of a log, and is always reported.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectLog } from '../../../lib/store/repair/inspect-log.ts'
import type { LogDamage, LogToInspect } from '../../../lib/store/repair/inspect-log.ts'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import type { FileSystemPort } from '../../../lib/store/disk/file-system-port.ts'
import { openFileLog, openForReading } from '../../../lib/store/log/open-file-log.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { OpenedLog } from '../../../lib/streams/ports/session-log.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { valuesOf } from '../../support/values-of.ts'
import { checkpointBody, sampleAt, sampleHeader } from '../sessions/sample-records.ts'

const sessionId = sampleHeader().id
const lines = logLines()
const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''))
/** The end of each line, with its line feed. */
const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))
let folder: string
let file: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-bytes-'))
  file = path.join(folder, 'log.jsonl')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A session of 200 lines: runs with a tool call, and checkpoints of their answers. */
function logLines(): string[] {
  const made = [sealLine(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() }).slice(0, -1))]
  let seq = 0
  for (let run = 0; made.length < 200; run += 1) {
    for (const event of scriptedRun(['ü ', 'two '], run % 26).filter(isDurable)) {
      seq += 1
      made.push(sealLine(lineBody({ seq, at: sampleAt + seq, runId: 'runaaaaa', event })))
      if (event.type === 'message_start') made.push(sealLine(checkpointBody(event.entryId, 0, 'ü')))
    }
  }
  return made.slice(0, 200)
}

/** Every index of a range, or an even sample of them. */
function indices(count: number, sample: number): number[] {
  const step = count / Math.min(count, sampleSize(sample, count))
  return Array.from({ length: Math.floor(count / step) }, (_, index) => Math.floor(index * step))
}

/** Every other log is folded during the check of its lines, like long ones. */
let openings = 0

function open(bytes: Buffer): OpenedLog | Failure {
  writeFileSync(file, bytes)
  openings += 1
  try {
    return openFileLog({ file, sessionId, files: nodeFileSystem, foldFrom: openings % 2 === 0 ? 0 : undefined })
  } catch (thrown) {
    return Failure.from(thrown)
  }
}

describe('a log of 200 lines', () => {
  it('is valid', () => expect([lines.length, ends.length]).toEqual([200, 200]))

  it('that was cut at any byte opens, loses its torn line at most, and reports it [LOG-never_silent]', async () => {
    for (const cut of indices(whole.length, 250)) {
      const opened = open(whole.subarray(0, cut))
      const wholeEnd = ends.findLast((end) => end - 1 <= cut) ?? 0 // a missing line feed is added
      if (opened instanceof Failure) {
        expect([opened.code, wholeEnd], `cut at ${cut}`).toEqual(['read_only', 0])
        continue
      }
      const torn = cut > wholeEnd
      const records = [...opened.log.records()]
      await valuesOf(opened.log.close())
      const left = readdirSync(folder).filter((name) => name.includes('.torn-'))
      expect([opened.log.readOnly, records.length], `cut at ${cut}`).toEqual([undefined, opened.log.head])
      expect(opened.warnings.map(({ code }) => code)).toEqual(torn ? ['torn_line'] : [])
      expect(left.map((name) => readFileSync(path.join(folder, name)).equals(whole.subarray(wholeEnd, cut)))).toEqual(
        torn ? [true] : [],
      )
      expect(readFileSync(file).equals(whole.subarray(0, wholeEnd)), `cut at ${cut}`).toBe(true)
      for (const name of left) rmSync(path.join(folder, name))
    }
  }, 1_800_000)

  it('with any flipped bit is read up to that line, and no further [LOG-never_silent]', () => {
    for (const bit of indices(whole.length * 8, 900)) {
      const at = bit >> 3
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7))
      const line = ends.findIndex((end) => at < end) + 1
      if (bit % 8 < 2) expectNoticed(bytes, line, `bit ${bit}`)
      else if (at < whole.length - 1) expectReadOnly(filesOf(bytes), line, `bit ${bit}`)
    }
  }, 1_800_000)

  it('with any line repeated, missing or ended by CR LF is read up to that line', () => {
    for (const index of indices(lines.length, 60)) {
      const [before, line = '', after] = [lines.slice(0, index), lines[index], lines.slice(index + 1)]
      const isBetween = line.startsWith('{"seq"') && after.some((other) => other.startsWith('{"seq"'))
      expectNoticed(bytesOf([...before, `${line}\r`, ...after]), index + 1, `CR LF ${index}`)
      expectNoticed(bytesOf([...before, line, line, ...after]), index + 2, `doubled ${index}`)
      // a message contains its missing checkpoints; a missing end cannot be known
      if (isBetween) expectNoticed(bytesOf([...before, ...after]), undefined, `missing ${index}`)
    }
  })

  it('with CR LF at every line is no session', () => {
    expectNoticed(Buffer.from(lines.map((line) => `${line}\r\n`).join('')), 1, 'CR LF')
  })

  it.each([1, 4_096, 100_000])('with %i NULs at its end loses no line', async (count) => {
    const opened = open(Buffer.concat([whole, Buffer.alloc(count)]))
    if (opened instanceof Failure) throw opened
    expect([opened.warnings.map(({ code }) => code), readFileSync(file).equals(whole)]).toEqual([['torn_line'], true])
    await valuesOf(opened.log.close())
  })
})

function bytesOf(all: readonly string[]): Buffer {
  return Buffer.from(all.map((line) => `${line}\n`).join(''))
}

/**
 * Opening reports this line (undefined: any line), and so does verification; the end of the last line may be torn
 * instead.
 */
function expectNoticed(bytes: Buffer, line: number | undefined, what: string): void {
  const files = filesOf(bytes)
  const read = (buffer: Buffer, length: number, position: number): number =>
    files.readSync(0, buffer, 0, length, position)
  const log = { file: 'log.jsonl', isLive: false, source: { read, from: 0, end: () => bytes.length } }
  const damage = firstDamage(log)
  if (line === undefined) expect(damage, what).toBeDefined()
  else expect(damage?.line, what).toBe(line)
  if (damage?.kind !== 'torn') expectReadOnly(files, damage?.line, what)
}

function firstDamage(log: LogToInspect): LogDamage | undefined {
  for (const { damage } of inspectLog(log)) if (damage !== undefined) return damage
  return undefined
}

function expectReadOnly(files: FileSystemPort, line: number | undefined, what: string): void {
  const failure = whyNotWritable(files)
  expect(['read_only', 'unsupported_version'], what).toContain(failure?.code)
  if (failure?.code === 'read_only') expect(failure.data['line'], what).toBe(line)
}

function whyNotWritable(files: FileSystemPort): Failure | undefined {
  try {
    return openForReading({ file: 'log.jsonl', sessionId, files }).log.readOnly
  } catch (thrown) {
    return Failure.from(thrown)
  }
}

/** A read-only file in memory. */
function filesOf(bytes: Buffer): FileSystemPort {
  return {
    ...nodeFileSystem,
    openSync: () => 0,
    closeSync: () => undefined,
    fstatSync: () => ({ nlink: 1, size: bytes.length, uid: process.geteuid?.() ?? 0, mode: 0o600, isFile: () => true }),
    readSync: (_descriptor, buffer, offset, length, position) =>
      bytes.copy(buffer, offset, position, Math.min(position + length, bytes.length)),
  }
}
