import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFileLog } from '../../lib/store/open-file-log.ts'
import { sealLine } from '../../lib/store/seal-line.ts'
import type { OpenedLog } from '../../lib/streams/session-log.ts'
import { faultyFiles, systemError } from './faulty-files.ts'
import type { FaultyFiles } from './faulty-files.ts'
import { appendEvents, checkpointBody, custom, messageStart, sampleHeader } from './sample-records.ts'

const sessionId = 'abcdefghij23'
const header = sealLine(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() }).slice(0, -1))
const numbered = (seq: number, data: unknown) =>
  sealLine(`{"seq":${seq},"at":1,"event":${JSON.stringify(custom(data))}`)
const bytesOf = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))

let folder: string
let file: string
let files: FaultyFiles
const opened: OpenedLog[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-open-'))
  file = path.join(folder, 'log.jsonl')
  files = faultyFiles()
})

afterEach(async () => {
  await closeAll()
  rmSync(folder, { recursive: true })
})

async function closeAll(): Promise<void> {
  for (const { log } of opened.splice(0)) await lastValueFrom(log.close(), { defaultValue: undefined })
}

function open(): OpenedLog {
  const answer = openFileLog({ file, sessionId, files })
  opened.push(answer)
  return answer
}

function openBytes(bytes: Buffer): OpenedLog {
  writeFileSync(file, bytes)
  return open()
}

function damage(line: number, message: RegExp): unknown {
  return expect.objectContaining({
    code: 'read_only',
    message: expect.stringMatching(message) as string,
    data: expect.objectContaining({ file, line }) as object,
  })
}

describe('a log that was cut', () => {
  const lines = [header, numbered(1, 'ü€😀'), sealLine(checkpointBody('entryaaa', 0, 'ö')), numbered(2, [2])]
  const whole = bytesOf(...lines)
  const ends = lines.map((_line, index) => bytesOf(...lines.slice(0, index + 1)).length)
  const cuts = Array.from({ length: whole.length }, (_, index) => index)
  const heads = [0, 1, 1, 2]

  it.each([0, 1, 5000])(
    'anywhere, with %i NULs at its end, keeps every whole line and its torn end beside it',
    async (nuls) => {
      for (const cut of nuls === 0
        ? cuts
        : cuts.filter((at) => at % 5 === 0 || ends.some((end) => Math.abs(end - at) < 3))) {
        const bytes = Buffer.concat([whole.subarray(0, cut), Buffer.alloc(nuls)])
        const complete = ends.findLastIndex((end) => end - 1 <= cut) // a missing line feed is put there
        if (complete === -1) {
          expect(() => openBytes(bytes), `cut at ${cut}`).toThrow(damage(1, /is not complete/))
          expect(readFileSync(file).equals(bytes)).toBe(true)
          continue
        }
        const { log, warnings } = openBytes(bytes)
        const kept = ends[complete] ?? 0
        const torn = bytes.subarray(kept)
        const isTorn = cut > kept || (cut === kept && nuls > 0)
        const head = heads[complete] ?? 0
        expect([log.head, warnings.map(({ code }) => code)], `cut at ${cut}`).toEqual([
          head,
          isTorn ? ['torn_line'] : [],
        ])
        if (isTorn) expect(readFileSync(`${file}.torn-${head + 1}`).equals(torn), `cut at ${cut}`).toBe(true)
        const line = appendEvents(log, [custom('on')])
        expect(readFileSync(file).equals(Buffer.concat([whole.subarray(0, kept), bytesOf(...line)]))).toBe(true)
        await closeAll()
        expect([open().log.head, opened[0]?.warnings]).toEqual([head + 1, []])
        await closeAll()
        for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
      }
    },
  )

  it('tells what was cut off, and keeps it private', () => {
    const { warnings } = openBytes(Buffer.concat([whole, Buffer.from('{"seq":3,')]))
    expect(warnings).toEqual([
      {
        code: 'torn_line',
        message: expect.stringMatching(/torn \(9 bytes.*kept as .*log\.jsonl\.torn-3$/) as string,
        context: { file, kept: `${file}.torn-3`, bytes: 9, seq: 3 },
      },
    ])
  })

  it('keeps an older torn piece of the same number', async () => {
    openBytes(Buffer.concat([whole, Buffer.from('first')]))
    await closeAll()
    appendFileSync(file, 'second')
    expect(open().warnings).toHaveLength(1)
    expect(readFileSync(`${file}.torn-3`, 'utf8')).toBe('first')
    expect(readFileSync(`${file}.torn-3-2`, 'utf8')).toBe('second')
  })

  it('keeps a torn end longer than what is read at once', () => {
    const torn = Buffer.alloc(200_000, 'x')
    openBytes(Buffer.concat([whole, torn]))
    expect(readFileSync(`${file}.torn-3`).equals(torn)).toBe(true)
  })

  it('is left as it was when its end cannot be cut off', () => {
    files.cutError = systemError('EIO')
    const bytes = Buffer.concat([whole, Buffer.from('torn')])
    expect(() => openBytes(bytes)).toThrow(expect.objectContaining({ code: 'storage', data: { errno: 'EIO' } }))
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(files.calls.at(-1)).toBe('closeSync')
  })
})

describe('a log with a damaged line', () => {
  const lines = [header, numbered(1, 'one'), sealLine(checkpointBody('entryaaa', 0, 'piece')), numbered(2, 'two')]
  const whole = bytesOf(...lines)

  it('is refused with the number of the line, wherever a byte changed, and left as it was', () => {
    for (let position = 0; position < whole.length - 1; position += 1) {
      const bytes = Buffer.from(whole)
      bytes[position] = (bytes[position] ?? 0) ^ 1
      const line = whole.subarray(0, position).filter((byte) => byte === 10).length + 1
      const codes = line === 1 ? /^(read_only|unsupported_version)$/ : /^read_only$/
      expect(() => openBytes(bytes), `byte ${position}`).toThrow(
        expect.objectContaining({ code: expect.stringMatching(codes) as string }),
      )
      if (line > 1) expect(() => openBytes(bytes), `byte ${position}`).toThrow(damage(line, /left untouched/))
      expect(readFileSync(file).equals(bytes)).toBe(true)
    }
    expect(readdirSync(folder)).toEqual(['log.jsonl'])
  })

  it.each([
    ['a hole', [1, 2, 4], 4, /its number is 4 where 3 comes next/],
    ['a repeated line', [1, 2, 2], 4, /its number is 2 where 3 comes next/],
    ['lines out of order', [2, 1], 2, /its number is 2 where 1 comes next/],
    ['number 0', [0], 2, /not a line of a session/],
  ])('is refused for %s in the numbers', (_what, numbers, line, message) => {
    const bytes = bytesOf(header, ...numbers.map((seq) => numbered(seq, 'x')))
    expect(() => openBytes(bytes)).toThrow(damage(line, message))
  })

  it.each([
    ['an empty line', ''],
    ['text', 'not a line'],
    ['a line without a checksum', '{"seq":3,"at":1,"event":{"type":"agent_settled"}}'],
    ['another JSON value', sealLine('["seq"')],
    ['a line without an event', sealLine('{"seq":3,"at":1')],
    ['bad JSON under a right checksum', sealLine('{"seq":3,"at":1,')],
    ['a second header', header],
    ['the brace alone', sealLine('')],
  ])('is refused for %s', (_what, line) => {
    expect(() => openBytes(bytesOf(...lines, line))).toThrow(damage(5, /is damaged/))
  })

  it('is told of before a torn end is touched', () => {
    const bytes = Buffer.concat([bytesOf(header, numbered(2, 'hole')), Buffer.from('torn')])
    expect(() => openBytes(bytes)).toThrow(damage(2, /its number is 2/))
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(readdirSync(folder)).toEqual(['log.jsonl'])
  })

  it.each([
    ['a field of an event', '"event":{"type":"turn_start","turnId":"turnaaaa"}', /turn_start.*turnIndex/],
    ['a second number', '"event":{"type":"agent_settled"},"seq":9', /its number is not 2/],
    ['a wrong time', '"at":"now","event":{"type":"agent_settled"}', /\/at must be number/],
  ])('is refused when it is read, for %s that is wrong under a right checksum', (_what, rest, message) => {
    const { log } = openBytes(bytesOf(header, numbered(1, 1), sealLine(`{"seq":2,"at":1,"runId":"abcdefgh",${rest}`)))
    const seen: unknown[] = []
    expect(() => {
      for (const { seq } of log.records()) seen.push(seq)
    }).toThrow(damage(3, message))
    expect(seen).toEqual([1])
  })

  it('is refused when checkpoints are read, for one that is wrong under a right checksum', () => {
    const { checkpoints } = openBytes(bytesOf(header, sealLine('{"at":1,"event":{"type":"message_update"}')))
    expect(() => [...checkpoints]).toThrow(damage(2, /entryId/))
  })
})

describe('line 1', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), /is not complete/],
    ['only NULs', Buffer.alloc(100), /is not complete/],
    ['no header', bytesOf(numbered(1, 1)), /required property 'type'/],
    ['a header without a checksum', bytesOf(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() })), /checksum/],
    ['a header with a wrong field', bytesOf(sealLine('{"type":"session","v":1,"id":"x"')), /Line 1 .*damaged/],
  ])('is refused for %s', (_what, bytes, message) => {
    expect(() => openBytes(bytes)).toThrow(damage(1, message))
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it.each([0, 2, 1.5])('of version %d is refused, whatever else it holds', (version) => {
    const bytes = bytesOf(JSON.stringify({ type: 'session', v: version, chapters: [] }), 'whatever')
    expect(() => openBytes(bytes)).toThrow(
      expect.objectContaining({ code: 'unsupported_version', data: { file, version } }),
    )
  })
})

describe('opening', () => {
  it('passes over event types and fields that it does not know', () => {
    const { log } = openBytes(
      bytesOf(
        header,
        sealLine('{"seq":1,"at":1,"opId":"o","new":true,"event":{"type":"from_2030","x":1}'),
        sealLine('{"seq":2,"at":1,"event":{"type":"agent_settled","mood":"good"}'),
      ),
    )
    expect([log.head, [...log.records()].map(({ event }) => event.type)]).toEqual([2, ['from_2030', 'agent_settled']])
  })

  it('finds the start of an unfinished message also where the last line lacks its line feed', () => {
    const start = `{"seq":1,"at":1,"event":${JSON.stringify(messageStart('entryaaa'))}`
    const bytes = bytesOf(header, sealLine(start), sealLine(checkpointBody('entryaaa', 0, 'text')))
    const { checkpoints, warnings } = openBytes(bytes.subarray(0, -1))
    expect([[...checkpoints].length, warnings, readFileSync(file).equals(bytes)]).toEqual([1, [], true])
  })

  it('syncs, before it answers, also what an earlier process left unsynced', async () => {
    const { log } = openBytes(bytesOf(header, numbered(1, 1)))
    await lastValueFrom(log.durable(), { defaultValue: undefined })
    expect(files.calls).toEqual(['fdatasync', 'fsync', 'closeSync'])
  })
})
