// Tests the verification and the repair of damaged logs.
// Over 250 lines: one log, damaged in every way, verified and repaired over the same lines.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownIdentity } from '../../../lib/host/process/process-identity.ts'
import { blobFolder, blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import { openFileLog } from '../../../lib/store/log/open-file-log.ts'
import { repairLog } from '../../../lib/store/repair/repair-log.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { sessionFolder } from '../../../lib/store/sessions/session-folder.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import { missingContentNote } from '../../../lib/streams/log/externalise-content.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { lineBody, openBody } from '../../../lib/streams/log/line-event.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { checkpointBody, custom, sampleAt, sampleHeader } from '../sessions/sample-records.ts'
import { done } from '../../support/done.ts'

const sessionId = 'abcdefghij23'
const header = sealLine(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() }).slice(0, -1))
const numbered = (seq: number, event: AgentEvent = custom(seq)) =>
  sealLine(lineBody({ seq, at: sampleAt + seq, runId: 'runaaaaa', event }))
const checkpoint = sealLine(checkpointBody('entryaaa', 0, 'ö'))
const bytesOf = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))
const whole = [header, numbered(1), checkpoint, numbered(2), numbered(3)]

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-repair-'))
  mkdirSync(path.join(folder, sessionFolder('/tmp')))
  file = path.join(folder, sessionFolder('/tmp'), `${sampleAt}_${sessionId}.jsonl`)
})
afterEach(() => rmSync(folder, { recursive: true }))

function verify(bytes: Buffer) {
  writeFileSync(file, bytes)
  return done(verifyLog(file))
}

/** Repairs these bytes; returns the copy's lines, and the report. */
function repair(bytes: Buffer) {
  writeFileSync(file, bytes)
  const { repaired = '', lost, changed } = done(repairLog(file))
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(done(verifyLog(repaired))).toMatchObject({ clean: true, damages: [] })
  expect(statSync(repaired).mode & 0o777).toBe(0o600)
  return { repaired, lost, changed, lines: readFileSync(repaired, 'utf8').split('\n').slice(0, -1) }
}

async function transcriptOf(name: string) {
  const { log } = openFileLog({ file: name, sessionId, files: nodeFileSystem })
  const state = [...log.records()].reduce(foldSession, emptySession())
  await lastValueFrom(log.close(), { defaultValue: undefined })
  return { messages: transcript(state), readOnly: log.readOnly }
}

const lostEvent = (seq: number) => ({
  type: 'error',
  code: 'lost_line',
  message: expect.stringContaining(`number ${seq} `) as string,
})

describe('verifyLog', () => {
  it('reports no fault of a whole log', () => {
    expect(verify(bytesOf(...whole))).toEqual({ file, clean: true, lines: 5, head: 3, damaged: 0, damages: [] })
  })

  it.each<[string, Buffer, unknown[]]>([
    ['a damaged line', bytesOf(header, numbered(1), 'x', numbered(3)), [[3, 'checksum', /checksum/]]],
    ['a damaged checkpoint', bytesOf(header, numbered(1), 'x', numbered(2)), [[3, 'checksum', /checksum/]]],
    [
      'several',
      bytesOf(header, 'x', numbered(2), 'x', 'y', numbered(4)),
      [
        [2, 'checksum', /./],
        [4, 'checksum', /./],
        [5, 'checksum', /./],
      ],
    ],
    [
      'a wrong shape',
      bytesOf(header, sealLine('{"seq":1,"at":1,"event":{"type":"label"}')),
      [[2, 'content', /label.*targetEntryId/]],
    ],
    ['a hole', bytesOf(header, numbered(1), numbered(3)), [[3, 'number', /is 3: a line is missing before it/]]],
    [
      'a hole that damage does not explain',
      bytesOf(header, 'x', numbered(4)),
      [
        [2, 'checksum', /./],
        [3, 'number', /2 lines are missing/],
      ],
    ],
    [
      'a doubled line',
      bytesOf(header, numbered(1), numbered(1), numbered(2)),
      [[3, 'number', /is 1 but 2 was expected/]],
    ],
    ['CR LF', bytesOf(header, `${numbered(1)}\r`, numbered(2)), [[3 - 1, 'line_end', /CR LF/]]],
    ['a torn line', Buffer.concat([bytesOf(header), Buffer.from('{"seq":1')]), [[2, 'torn', /not complete/]]],
    ['NULs', Buffer.concat([bytesOf(header), Buffer.alloc(9)]), [[2, 'torn', /not complete/]]],
    ['a missing line feed', Buffer.from(`${header}\n${numbered(1)}`), [[2, 'torn', /only its line feed/]]],
    ['nothing', Buffer.alloc(0), [[1, 'header', /empty/]]],
    ['a damaged header', bytesOf('x', numbered(1)), [[1, 'header', /checksum/]]],
    ['another version', bytesOf('{"type":"session","v":2}', numbered(1)), [[1, 'version', /version is 2/]]],
    [
      "another session's header",
      bytesOf(
        header.replace(
          /.*/,
          sealLine(JSON.stringify({ type: 'session', v: 1, ...sampleHeader({ id: 'zzzzzzzzzzzz' }) }).slice(0, -1)),
        ),
      ),
      [[1, 'header', /of session zzzzzzzzzzzz/]],
    ],
  ])('names the lines of %s', (_what, bytes, expected) => {
    const { clean, damaged, damages } = verify(bytes)
    expect([clean, damaged]).toEqual([false, expected.length])
    expect(damages).toEqual(
      expected.map((each) => {
        const [line, kind, problem] = each as [number, string, RegExp]
        return { line, kind, problem: expect.stringMatching(problem) as string }
      }),
    )
  })

  it('lists the first 1,000 and counts the rest', () => {
    const { damaged, damages } = verify(bytesOf(header, ...Array<string>(1_500).fill('x')))
    expect([damaged, damages.length]).toEqual([1_500, 1_000])
  })

  it('ignores the end of a log that a live process writes', () => {
    writeFileSync(`${file}.lock`, JSON.stringify(ownIdentity()))
    expect(verify(Buffer.concat([bytesOf(...whole), Buffer.from('{"seq":4')]))).toMatchObject({ clean: true, lines: 5 })
  })

  it.each([
    ['a folder', () => folder, 'bad_request'],
    ['nothing', () => path.join(folder, 'none'), 'bad_request'],
  ])('refuses %s', (_what, name, code) => {
    expect(() => done(verifyLog(name()))).toThrow(expect.objectContaining({ code }))
  })
})

describe('repairLog', () => {
  it('writes no copy of a clean log', () => {
    writeFileSync(file, bytesOf(...whole))
    expect(done(repairLog(file))).toMatchObject({ clean: true, lost: [], changed: [] })
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  })

  it('keeps every good line unchanged, and names each lost one at its position [LOG-repair]', () => {
    const { repaired, lines, lost, changed } = repair(bytesOf(header, numbered(1), 'x', numbered(3)))
    expect(repaired).toBe(file.replace('.jsonl', '.repaired.jsonl'))
    expect([lines[0], lines[1], lines[3]]).toEqual([header, numbered(1), numbered(3)])
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ seq: 2, event: lostEvent(2) })
    expect([lost, changed]).toEqual([[expect.stringMatching(/^Line 3: its checksum/)], []])
  })

  it('keeps a good line byte for byte, in any JSON formatting [LOG-repair]', () => {
    const event = '{"data":{"b":1,"a":2},"type":"custom","customType":"x"}'
    const written = sealLine(`{"seq":2, "at":${sampleAt}.50,  "event": ${event}`)
    const { lines } = repair(bytesOf(header, 'x', written, numbered(3)))
    expect(lines).toEqual([header, expect.stringContaining('lost_line'), written, numbered(3)])
  })

  it('leaves an earlier copy unchanged', () => {
    const { repaired: first } = repair(bytesOf(header, 'x', numbered(2)))
    expect(repair(bytesOf(header, 'x')).repaired).toBe(first.replace('.repaired.', '.repaired-2.'))
  })

  it.each<[string, Buffer, string[], number]>([
    ['a damaged checkpoint', bytesOf(header, numbered(1), 'x', numbered(2)), [header, numbered(1), numbered(2)], 1],
    ['a doubled line', bytesOf(header, numbered(1), numbered(1), numbered(2)), [header, numbered(1), numbered(2)], 1],
    ['CR LF all over', Buffer.from(whole.map((line) => `${line}\r\n`).join('')), whole, 0],
    ['a torn line', Buffer.concat([bytesOf(...whole), Buffer.from('{"seq"')]), whole, 1],
    ['a missing line feed', bytesOf(...whole).subarray(0, -1), whole, 0],
    ['a damaged last line', bytesOf(...whole, 'x'), whole, 1],
  ])('of %s leaves no file', (_what, bytes, lines, lostLines) => {
    const repaired = repair(bytes)
    expect([repaired.lines, repaired.lost.length]).toEqual([lines, lostLines])
  })

  it('reports for each damaged line what was wrong with it', () => {
    expect(repair(bytesOf(header, numbered(1), numbered(3))).changed).toEqual([
      'Line 3: its number is 3: a line is missing before it',
    ])
    expect(repair(Buffer.from(`${header}\r\n${numbered(1)}\r\n`)).changed).toEqual([
      'Line 1: it ends in CR LF instead of LF',
      'Line 2: it ends in CR LF instead of LF',
    ])
  })

  it('names 1,000 lost lines, and counts the others', () => {
    const { lost } = repair(bytesOf(header, ...Array<string>(1_500).fill('x')))
    expect([lost.length, lost[999], lost[1_000]]).toEqual([
      1_001,
      expect.stringMatching(/^Line 1001: /),
      'and 500 more',
    ])
    expect(repair(bytesOf(header, ...Array<string>(1_000).fill('x'))).lost).toHaveLength(1_000)
  })

  it('leaves no file open', () => {
    const open = () => readdirSync('/proc/self/fd').length
    const before = open()
    repair(bytesOf(header, 'x'))
    expect(open()).toBe(before)
  })

  it('rebuilds a lost header from the name of its file', () => {
    const { lines, changed } = repair(bytesOf('x', numbered(1)))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: sessionId, createdAt: sampleAt, cwd: '/' })
    expect(changed).toEqual([expect.stringMatching(/^Line 1: .*file's name, and its folder is lost/)])
  })

  it.each([
    ['its checksum alone is wrong', header.replace(/"crc":"./, '"crc":"_')],
    ['its folder can still be read', header.replace('"v":1', '"v":!')],
  ])('reads the folder from a header of which %s', (_what, line) => {
    expect(JSON.parse(repair(bytesOf(line)).lines[0] ?? '')).toMatchObject({ id: sessionId, cwd: '/tmp' })
  })

  it('trusts no folder that does not match the name of the sessions folder', () => {
    const { lines } = repair(bytesOf(header.replace('"/tmp"', '"/tmq"')))
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ cwd: '/' })
  })

  it('refuses another version', () => {
    writeFileSync(file, bytesOf('{"type":"session","v":2}'))
    expect(() => done(repairLog(file))).toThrow(expect.objectContaining({ code: 'unsupported_version' }))
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  })
})

describe('the conversation of a repaired log', () => {
  const runs = [scriptedRun(['first'], 0), scriptedRun(['second'], 1).map(afterFirst)].flat()
  const events = runs.filter(({ type }) => type !== 'message_update' && type !== 'tool_execution_update')
  const lines = events.map((event, index) => numbered(index + 1, event))

  /** The second run continues at the first one's last entry. */
  function afterFirst(event: AgentEvent): AgentEvent {
    return 'parentId' in event && event.parentId === null ? { ...event, parentId: 'rrrrrrra' } : event
  }

  it('is whole except for the lost message, whichever it was [LOG-repair]', async () => {
    for (const [index, event] of events.entries()) {
      const { repaired, changed } = repair(bytesOf(header, ...lines.with(index, 'x')))
      const { messages, readOnly } = await transcriptOf(repaired)
      const isMessage = event.type === 'message_end'
      expect([messages.length, readOnly], `${index} ${event.type}`).toEqual([isMessage ? 5 : 6, undefined])
      const follows = isMessage && index < events.length - 6
      if (follows) expect(changed.join(' '), `${index} ${event.type}`).toMatch(/it follows .* now|first entry now/)
      rmSync(repaired)
    }
  })

  it('is whole also if both lines of a message are lost', async () => {
    for (const [index, event] of events.entries()) {
      if (event.type !== 'message_start') continue
      const { repaired } = repair(bytesOf(header, ...lines.with(index, 'x').with(index + 1, 'x')))
      expect((await transcriptOf(repaired)).messages, String(index)).toHaveLength(5)
      rmSync(repaired)
    }
  })

  it("has a text in a result whose call's output was lost", async () => {
    const at = events.findIndex(({ type }) => type === 'tool_execution_end')
    const { repaired, changed } = repair(bytesOf(header, ...lines.with(at, 'x')))
    const { messages } = await transcriptOf(repaired)
    expect(messages[2]).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('was lost') as string }],
    })
    expect(changed).toEqual([expect.stringContaining('output is lost')])
  })
})

describe('lost content', () => {
  const there = Buffer.from('the beginning and the rest')
  const content = (bytes: Buffer) =>
    ({ type: 'text', text: 'the', blob: blobName(bytes), bytes: bytes.length }) as const
  const result = (bytes: Buffer) =>
    ({
      type: 'tool_execution_end',
      toolCallId: 'call_1',
      toolName: 'read',
      isError: false,
      content: [content(bytes)],
      durationMs: 1,
    }) as const

  it.each([
    ['of a run', { runId: 'runaaaaa' }],
    ['of a command', { opId: 'op 1' }],
    ['of neither', {}],
  ])('has a text as its replacement, in an event %s, and existing content stays [LOG-repair]', (_, named) => {
    const own = blobFolder(folder)
    own.write(blobName(there), there)
    const line = (seq: number, bytes: Buffer) =>
      sealLine(openBody({ seq, at: sampleAt, ...named, event: result(bytes) }))
    const goodLine = line(1, there)
    writeFileSync(file, bytesOf(header, goodLine, line(2, Buffer.from('gone'))))
    const { repaired = '', lost, changed } = done(repairLog(file, own))
    const [, first, second = ''] = readFileSync(repaired, 'utf8').split('\n')
    expect(first).toBe(goodLine)
    expect(JSON.parse(second)).toEqual({
      seq: 2,
      at: sampleAt,
      ...named,
      event: { ...result(there), content: [missingContentNote(content(Buffer.from('gone')))] },
      crc: expect.any(String) as string,
    })
    expect([lost, changed]).toEqual([[expect.stringMatching(/^Line 3: the blob /)], []])
    expect(done(verifyLog(repaired, own)).clean).toBe(true)
  })
})

describe('a queued input in a repaired log', () => {
  const input = { queue: 'steering', queueId: 'queuedaa' } as const
  const start = { type: 'message_start', entryId: 'entryaaa', parentId: null, queueId: input.queueId } as const
  const message = { role: 'user', content: 'do this', timestamp: 1 } as const
  const events: AgentEvent[] = [
    { type: 'queue_update', op: 'add', ...input, content: 'do this' },
    { ...start, message: { ...message, content: [] } },
    { type: 'message_end', entryId: 'entryaaa', parentId: null, message },
    { type: 'queue_update', op: 'take', ...input },
    { type: 'queue_update', op: 'clear', queue: 'followUp' },
  ]
  const lines = events.map((event, index) => numbered(index + 1, event))

  it.each([
    ["its message's start, with nothing behind its end", [1], 3],
    ["its message's start and that it was taken", [1, 3], 5],
  ])('is not delivered twice if %s is lost', async (_, lost, length) => {
    const goodLine = lines.slice(0, length).map((line, index) => (lost.includes(index) ? 'x' : line))
    const { repaired, changed } = repair(bytesOf(header, ...goodLine))
    expect(await placesOf(repaired)).toEqual({ queued: 0, output: 1 })
    expect(changed).toContainEqual(expect.stringContaining('recreated'))
  })

  it.each([
    ['other words', { content: 'do that' }, {}],
    ['a prompt of its own', {}, { opId: 'op 1' }],
  ])('stays queued if the message is %s', async (_, other, named) => {
    const end = { type: 'message_end', entryId: 'entryaaa', parentId: null, message: { ...message, ...other } } as const
    const line = sealLine(openBody({ seq: 3, at: sampleAt, runId: 'runaaaaa', ...named, event: end }))
    const { repaired } = repair(bytesOf(header, lines[0] ?? '', 'x', line))
    expect(await placesOf(repaired)).toEqual({ queued: 1, output: 1 })
  })

  it('has a rebuilt start that is of the run of its message, or of none', () => {
    const end = events[2] ?? custom('')
    for (const named of [{ runId: 'runaaaaa' }, {}]) {
      const line = sealLine(openBody({ seq: 3, at: sampleAt, ...named, event: end }))
      const { lines: copied, repaired } = repair(bytesOf(header, lines[0] ?? '', 'x', line))
      const crc = expect.any(String) as string
      expect(JSON.parse(copied[2] ?? '')).toEqual({ seq: 2, at: sampleAt, ...named, event: events[1], crc })
      rmSync(repaired)
    }
  })

  it('has no rebuilt start if no line is missing before its message', () => {
    const [first = '', , end = custom('')] = [lines[0], lines[1], events[2]]
    const { lines: copied } = repair(bytesOf(header, first, numbered(2, end), 'x'))
    expect(copied).toEqual([header, first, numbered(2, end)])
  })

  it('is queued again if it was taken after a message that belongs to another input', async () => {
    const other = { ...input, queueId: 'queuedbb' }
    const written: AgentEvent[] = [
      { type: 'queue_update', op: 'add', ...input, content: 'do this' },
      { type: 'queue_update', op: 'add', ...other, content: 'do that' },
      custom('a line that is lost'),
      events[2] ?? custom(''),
      { type: 'queue_update', op: 'take', ...other },
    ]
    const { repaired } = repair(
      bytesOf(header, ...written.map((event, index) => (index === 2 ? 'x' : numbered(index + 1, event)))),
    )
    expect(await placesOf(repaired)).toEqual({ queued: 1, output: 1 })
  })

  it.each([
    ['its message', [2], 'queued'],
    ['both lines of its message', [1, 2], 'queued'],
    ["its message's start", [1], 'said'],
    ['that it was taken', [3], 'said'],
  ])('exists once if %s is lost', async (_, lost, workspace) => {
    const { repaired } = repair(bytesOf(header, ...lines.map((line, index) => (lost.includes(index) ? 'x' : line))))
    expect(await placesOf(repaired)).toEqual(
      workspace === 'queued' ? { queued: 1, output: 0 } : { queued: 0, output: 1 },
    )
  })
})

async function placesOf(name: string) {
  const { log } = openFileLog({ file: name, sessionId, files: nodeFileSystem })
  const state = [...log.records()].reduce(foldSession, emptySession())
  await lastValueFrom(log.close(), { defaultValue: undefined })
  return { queued: state.queue.length, output: transcript(state).length }
}

it(
  'repairs any damage of a log',
  () => {
    const bytes = bytesOf(...whole)
    let state = 7
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return state % below
    }
    for (let round = 0; round < sampleSize(100, 3_000); round += 1) {
      let damaged = Buffer.from(bytes)
      for (let count = 1 + random(3); count > 0 && damaged.length > 1; count -= 1) {
        const at = random(damaged.length)
        const kind = random(4)
        if (kind === 0) damaged[at] = (damaged[at] ?? 0) ^ (1 << random(8))
        if (kind === 1) damaged = damaged.subarray(0, at)
        if (kind === 2) damaged = Buffer.concat([damaged.subarray(0, at), damaged.subarray(random(damaged.length))])
        if (kind === 3)
          damaged = Buffer.concat([damaged.subarray(0, at), Buffer.alloc(random(20)), damaged.subarray(at)])
      }
      const { clean, damages } = verify(damaged)
      if (clean || damages.some(({ kind }) => kind === 'version')) continue
      rmSync(repair(damaged).repaired)
    }
  },
  sampleSize(300_000, 1_800_000),
)
