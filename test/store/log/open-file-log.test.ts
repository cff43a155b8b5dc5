// Tests how a log is opened after a crash, damage or a change by another process.
// Over 250 lines: one table of what may have been done to a log, and how it is opened then.
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownIdentity } from '../../../lib/host/process/process-identity.ts'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import { openFileLog, openForReading } from '../../../lib/store/log/open-file-log.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import type { OpenedLog } from '../../../lib/streams/ports/session-log.ts'
import { faultyFiles, systemError } from '../disk/faulty-files.ts'
import type { FaultyFiles } from '../disk/faulty-files.ts'
import { appendEvents, checkpointBody, custom, messageStart, sampleHeader } from '../sessions/sample-records.ts'
import { sampleSize } from '../../support/sample-size.ts'

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
    'anywhere, with %i NULs at its end, keeps every whole line, and its torn end beside it [LOG-torn]',
    async (nuls) => {
      const step = nuls === 0 ? sampleSize(3, 1) : 5
      for (const cut of cuts.filter((at) => at % step === 0 || ends.some((end) => Math.abs(end - at) < 3))) {
        const bytes = Buffer.concat([whole.subarray(0, cut), Buffer.alloc(nuls)])
        const complete = ends.findLastIndex((end) => end - 1 <= cut) // a missing line feed is added
        if (complete === -1) {
          expect(() => openBytes(bytes), `cut at ${cut}`).toThrow(damage(1, /is not complete/))
          expect(readFileSync(file).equals(bytes)).toBe(true)
          continue
        }
        const { log, warnings } = openBytes(bytes)
        const wholeEnd = ends[complete] ?? 0
        const torn = bytes.subarray(wholeEnd)
        const isTorn = cut > wholeEnd || (cut === wholeEnd && nuls > 0)
        const head = heads[complete] ?? 0
        expect([log.head, warnings.map(({ code }) => code)], `cut at ${cut}`).toEqual([
          head,
          isTorn ? ['torn_line'] : [],
        ])
        if (isTorn) expect(readFileSync(`${file}.torn-${head + 1}`).equals(torn), `cut at ${cut}`).toBe(true)
        const line = appendEvents(log, [custom('on')])
        expect(readFileSync(file).equals(Buffer.concat([whole.subarray(0, wholeEnd), bytesOf(...line)]))).toBe(true)
        await closeAll()
        expect([open().log.head, opened[0]?.warnings]).toEqual([head + 1, []])
        await closeAll()
        for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
      }
    },
  )

  it('reports the torn end, and stores it privately [LOG-torn]', () => {
    const { warnings } = openBytes(Buffer.concat([whole, Buffer.from('{"seq":3,')]))
    expect(warnings).toEqual([
      {
        code: 'torn_line',
        message: expect.stringMatching(/incomplete \(9 bytes.*saved as .*log\.jsonl\.torn-3$/) as string,
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

  it('stores a torn end longer than one read', () => {
    const torn = Buffer.alloc(200_000, 'x')
    openBytes(Buffer.concat([whole, torn]))
    expect(readFileSync(`${file}.torn-3`).equals(torn)).toBe(true)
  })

  it('stays unchanged if its end cannot be cut off', () => {
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

  const heads = [0, 0, 1, 1, 2]

  it('is read up to that line, whichever byte changed, and stays unchanged [LOG-damage]', async () => {
    for (let position = 0; position < whole.length - 1; position += 1) {
      const bytes = Buffer.from(whole)
      bytes[position] = (bytes[position] ?? 0) ^ 1
      const line = whole.subarray(0, position).filter((byte) => byte === 10).length + 1
      if (line === 1) {
        const code = expect.stringMatching(/^(read_only|unsupported_version)$/) as string
        expect(() => openBytes(bytes), `byte ${position}`).toThrow(expect.objectContaining({ code }))
      } else {
        const { log } = openBytes(bytes)
        const refused = damage(line, /can be read.*rxpi sessions repair .*log\.jsonl/)
        const head = heads[line - 1]
        expect([log.readOnly, log.head, [...log.records()].length], `byte ${position}`).toEqual([refused, head, head])
        expect(() => appendEvents(log, [custom('on')])).toThrow(refused)
        await closeAll()
      }
      expect(readFileSync(file).equals(bytes)).toBe(true)
    }
    expect(readdirSync(folder)).toEqual(['log.jsonl'])
  })

  it('is not locked by a process that can only read it', () => {
    const bytes = Buffer.concat([bytesOf(header, 'damaged'), Buffer.from('torn')])
    const logs = [openBytes(bytes), open()].map(({ log }) => log)
    expect(logs.map(({ readOnly }) => readOnly)).toEqual([damage(2, /./), damage(2, /./)])
    expect([readdirSync(folder), readFileSync(file).equals(bytes)]).toEqual([['log.jsonl'], true])
  })

  it('is followed up to it', async () => {
    const { log } = openBytes(bytesOf(...lines, 'damaged'))
    const seqs: unknown[] = []
    const failure = await new Promise((resolve) => {
      log.follow?.().subscribe({ next: ({ seq }) => seqs.push(seq), error: resolve })
    })
    expect([seqs, failure]).toEqual([[1, 2], damage(5, /checksum/)])
  })

  it.each([
    ['a hole', [1, 2, 4], 4, /its number is 4 but 3 was expected/],
    ['a repeated line', [1, 2, 2], 4, /its number is 2 but 3 was expected/],
    ['lines out of order', [2, 1], 2, /its number is 2 but 1 was expected/],
    ['number 0', [0], 2, /not a line of a session/],
  ])('is read up to %s in the numbers [LOG-damage]', (_what, numbers, line, message) => {
    const { log } = openBytes(bytesOf(header, ...numbers.map((seq) => numbered(seq, 'x'))))
    expect([log.readOnly, [...log.records()].length]).toEqual([damage(line, message), line - 2])
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
  ])('is read up to %s', (_what, line) => {
    expect(openBytes(bytesOf(...lines, line, lines[1] ?? '')).log).toMatchObject({
      head: 2,
      readOnly: damage(5, /is damaged/),
    })
  })

  it('is reported before a torn end is cut off', () => {
    const bytes = Buffer.concat([bytesOf(header, numbered(2, 'hole')), Buffer.from('torn')])
    expect(openBytes(bytes)).toMatchObject({ log: { readOnly: damage(2, /its number is 2/) }, warnings: [] })
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(readdirSync(folder)).toEqual(['log.jsonl'])
  })

  it.each([
    ['a field of an event', '"event":{"type":"turn_start","turnId":"turnaaaa"}', /turn_start.*turnIndex/],
    ['a second number', '"event":{"type":"agent_settled"},"seq":9', /its number is not 2/],
    ['a wrong time', '"at":"now","event":{"type":"agent_settled"}', /\/at must be a number/],
  ])('is read-only only from the moment %s fails under a right checksum', (_what, rest, message) => {
    const wrong = sealLine(`{"seq":2,"at":1,"runId":"abcdefgh",${rest}`)
    const { log } = openBytes(bytesOf(header, numbered(1, 1), wrong, numbered(3, 1)))
    const emitted: unknown[] = []
    expect([log.readOnly, log.head]).toEqual([undefined, 3])
    expect(() => {
      for (const { seq } of log.records()) emitted.push(seq)
    }).toThrow(damage(3, message))
    expect([emitted, log.readOnly, log.head]).toEqual([[1], damage(3, message), 1])
    expect([...log.records()].map(({ seq }) => seq)).toEqual([1])
    expect(() => appendEvents(log, [custom('on')])).toThrow(damage(3, message))
  })

  it('stays writable if the damage is behind the lines that were appended since', () => {
    const { log } = openBytes(bytesOf(header, numbered(1, 1), sealLine('{"seq":2,"at":"now","event":{"type":"x"}')))
    appendEvents(log, [custom('on')])
    expect(() => [...log.records()]).toThrow(damage(3, /at must be a number/))
    expect([log.readOnly, appendEvents(log, [custom('on')]).length]).toEqual([undefined, 1])
  })

  it('no longer has a checkpoint that it emitted before the damage was found', () => {
    const start = sealLine(`{"seq":1,"at":1,"event":${JSON.stringify(messageStart('entryaaa'))}`)
    const piece = sealLine(checkpointBody('entryaaa', 0, 'piece'))
    const { log } = openBytes(bytesOf(header, start, piece, sealLine('{"seq":2,"at":"now","event":{"type":"x"}')))
    expect([...log.checkpoints()]).toHaveLength(1)
    expect(() => [...log.records()]).toThrow(damage(4, /at must be a number/))
    expect([...log.checkpoints()]).toEqual([])
  })

  it('is read up to a repeated checkpoint, though it has no number [LOG-damage]', () => {
    const piece = sealLine(checkpointBody('entryaaa', 0, 'piece'))
    const { log } = openBytes(bytesOf(header, numbered(1, 1), piece, piece, numbered(2, 2)))
    expect([log.readOnly, log.head]).toEqual([damage(4, /repeats the line before it/), 1])
    expect(openBytes(bytesOf(header, piece, numbered(1, 1), piece, numbered(2, 2))).log.readOnly).toBeUndefined()
  })

  it('is refused when checkpoints are read, for an invalid one with a right checksum', () => {
    const { log } = openBytes(bytesOf(header, sealLine('{"at":1,"event":{"type":"message_update"}')))
    expect(() => [...log.checkpoints()]).toThrow(damage(2, /entryId/))
  })
})

describe('line 1', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), /is not complete/],
    ['only NULs', Buffer.alloc(100), /is not complete/],
    ['no header', bytesOf(numbered(1, 1)), /needs the field "type"/],
    ['a header without a checksum', bytesOf(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() })), /checksum/],
    ['a header with a wrong field', bytesOf(sealLine('{"type":"session","v":1,"id":"x"')), /Line 1 .*damaged/],
  ])('is refused for %s [LOG-header]', (_what, bytes, message) => {
    expect(() => openBytes(bytes)).toThrow(damage(1, message))
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it.each([0, 2, 1.5])('of version %d is refused, whatever else it contains [LOG-damage]', (version) => {
    const bytes = bytesOf(JSON.stringify({ type: 'session', v: version, chapters: [] }), 'whatever')
    expect(() => openBytes(bytes)).toThrow(
      expect.objectContaining({ code: 'unsupported_version', data: { file, version } }),
    )
  })
})

describe('opening read-only', () => {
  const whole = bytesOf(header, numbered(1, 1))

  function read(bytes: Buffer): OpenedLog {
    writeFileSync(file, bytes)
    const answer = openForReading({ file, sessionId, files })
    opened.push(answer)
    return answer
  }

  it.each([
    ['a line that is being written', Buffer.from(numbered(2, 2)).subarray(0, 30)],
    ['a line without its line feed, which may be undone', Buffer.from(numbered(2, 2))],
    ['NULs', Buffer.alloc(10)],
  ])('leaves %s to the writer', (_what, rest) => {
    const bytes = Buffer.concat([whole, rest])
    const { log, warnings } = read(bytes)
    expect([log.head, warnings, readFileSync(file).equals(bytes), readdirSync(folder)]).toEqual([
      1,
      [],
      true,
      ['log.jsonl'],
    ])
  })

  it('emits a line once it is whole, and no line that was undone', async () => {
    const { log } = read(Buffer.concat([whole, Buffer.from(numbered(2, 'undone'))]))
    const lines: (string | undefined)[] = []
    const reported = new Promise<void>((resolve) => {
      log.follow?.(1).subscribe(({ line }) => {
        lines.push(line)
        if (lines.length === 2) resolve()
      })
    })
    truncateSync(file, whole.length)
    appendFileSync(file, `${numbered(2, 'two')}\n${numbered(3, 'three').slice(0, 20)}`)
    appendFileSync(file, `${numbered(3, 'three').slice(20)}\n`)
    await reported
    expect(lines).toEqual([numbered(2, 'two'), numbered(3, 'three')])
  })

  it('reports an invalid line of the holder', async () => {
    const { log } = read(whole)
    const failure = new Promise((resolve) => log.follow?.().subscribe({ error: resolve }))
    appendFileSync(file, `${numbered(3, 'hole')}\n`)
    expect(await failure).toEqual(damage(3, /its number is not 2/))
  })
})

describe('opening', () => {
  it('skips unknown event types and fields', () => {
    const { log } = openBytes(
      bytesOf(
        header,
        sealLine('{"seq":1,"at":1,"opId":"o","new":true,"event":{"type":"from_2030","x":1}'),
        sealLine('{"seq":2,"at":1,"event":{"type":"agent_settled","mood":"good"}'),
      ),
    )
    expect([log.head, [...log.records()].map(({ event }) => event.type)]).toEqual([2, ['from_2030', 'agent_settled']])
  })

  it('finds the start of an unfinished message also if the last line lacks its line feed [LOG-completed]', () => {
    const start = `{"seq":1,"at":1,"event":${JSON.stringify(messageStart('entryaaa'))}`
    const bytes = bytesOf(header, sealLine(start), sealLine(checkpointBody('entryaaa', 0, 'text')))
    const { log, warnings } = openBytes(bytes.subarray(0, -1))
    expect([[...log.checkpoints()].length, warnings, readFileSync(file).equals(bytes)]).toEqual([1, [], true])
  })

  it('names its last writer, if that was killed', () => {
    const killed = { ...ownIdentity(), startTime: '1' }
    writeFileSync(`${file}.lock`, JSON.stringify(killed))
    expect(openBytes(bytesOf(header)).log.killedWriter).toEqual(killed)
  })

  it('does not continue with a file that was removed before its lock was taken', () => {
    writeFileSync(file, bytesOf(header))
    const openSync = (name: string, flags: number): number => {
      const descriptor = nodeFileSystem.openSync(name, flags)
      if (name === file) unlinkSync(file) // like a process that held the lock until now
      return descriptor
    }
    expect(() => openFileLog({ file, sessionId, files: { ...files, openSync } })).toThrow(
      expect.objectContaining({ code: 'unknown_session', message: expect.stringContaining(sessionId) as string }),
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('is read from near the wanted record [SLOW-reads]', () => {
    const long = Array.from({ length: 200 }, (_, index) => numbered(index + 1, 'x'.repeat(5000)))
    const { log } = openBytes(bytesOf(header, ...long))
    files.reads.length = 0
    expect([...log.records(195)].map(({ seq }) => seq)).toEqual([196, 197, 198, 199, 200])
    expect(files.reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(64 * 1024 + 20 * 5200)
  })

  it('syncs, before it resolves, also unsynced lines of an earlier process', async () => {
    const { log } = openBytes(bytesOf(header, numbered(1, 1)))
    await lastValueFrom(log.durable(), { defaultValue: undefined })
    expect(files.calls).toEqual(['fdatasync', 'fsync', 'closeSync'])
  })
})

describe('closing', () => {
  it.each([
    ['that the system did not let go of the file', true],
    ['first that it could not be synced', false],
  ])('reports %s, and releases the lock', async (_what, isSynced) => {
    writeFileSync(file, bytesOf(header, numbered(1, 1)))
    const closeSync = (descriptor: number): void => {
      nodeFileSystem.closeSync(descriptor)
      throw systemError('ENOSPC')
    }
    const { log } = openFileLog({
      file,
      sessionId,
      files: Object.assign(files, isSynced ? {} : { syncError: systemError('EIO') }),
    })
    await lastValueFrom(log.durable(), { defaultValue: undefined }).catch(() => undefined)
    files.closeSync = closeSync
    const [reported, name] = isSynced ? ['no space is left', 'close'] : ['the disk reports an error', 'sync']
    await expect(lastValueFrom(log.close(), { defaultValue: undefined })).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(`Could not ${name} .*log.jsonl: ${reported}`) as string,
    })
    expect(readdirSync(folder)).toEqual(['log.jsonl'])
  })
})
