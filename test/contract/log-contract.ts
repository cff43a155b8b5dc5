// The contract of every SessionLog and SessionStore (lib/streams/ports/session-log.ts).
// Over 250 lines: one contract, which every log and store is held to as a whole.
// Over 250 lines: one contract, which every log and store is held to as a whole.
import fc from 'fast-check'
import { BehaviorSubject, filter, firstValueFrom, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { foldMessage } from '../../lib/streams/messages/fold-message.ts'
import { emptySession, foldSession, transcript } from '../../lib/streams/state/fold-session.ts'
import type { NewHeader, SessionLog, SessionStore } from '../../lib/streams/ports/session-log.ts'
import type { SessionRecord } from '../../lib/streams/log/log-line.ts'
import {
  appendEvents,
  assistantMessage,
  checkpointBody,
  custom,
  customs,
  messageEnd,
  messageStart,
  nextBody,
  sampleAt,
  sampleHeader,
} from '../store/sessions/sample-records.ts'
import { sampleSize } from '../support/sample-size.ts'

export interface LogHarness {
  readonly store: SessionStore
  /** A store over the same sessions, as another process makes it; the same store if there is none. */
  again(): SessionStore
  dispose(): void
}

export function logContract(name: string, makeHarness: () => LogHarness): void {
  describe(`${name} keeps the contract of a log`, () => {
    let harness: LogHarness
    let opened: SessionLog[]

    beforeEach(() => {
      harness = makeHarness()
      opened = []
    })

    afterEach(async () => {
      await Promise.all(opened.map(closeLog))
      harness.dispose()
    })

    function create(fields: Partial<NewHeader> = {}): SessionLog {
      const log = harness.store.create(sampleHeader(fields))
      opened.push(log)
      return log
    }

    async function reopen(log: SessionLog) {
      await closeLog(log)
      const again = harness.again().open(log.header.id)
      opened.push(again.log)
      return again
    }

    it('has a sealed header line and no record at first [LOG-header]', () => {
      const log = create({ title: 'first', opId: 'op 1' })
      expect(JSON.parse(log.headerLine)).toEqual({
        type: 'session',
        v: 1,
        ...sampleHeader({ title: 'first', opId: 'op 1' }),
        crc: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      })
      expect(log.header).toEqual(JSON.parse(log.headerLine))
      expect([log.head, [...log.records()]]).toEqual([0, []])
    })

    it('returns the sealed line of an append and counts it [LOG-seq]', () => {
      const log = create()
      const body = nextBody(log, custom('ö'))
      expect(log.append(body)).toMatch(/^\{"seq":1,.*,"crc":"[0-9a-f]{8}"\}$/)
      expect(log.append(nextBody(log, custom(2))).slice(0, -18)).toBe(nextBody({ ...log, head: 1 }, custom(2)))
      expect(log.head).toBe(2)
    })

    it.each([0, 2, 11])('refuses the number %i if 1 comes next [LOG-seq]', (seq) => {
      const log = create()
      expect(() => log.append(nextBody({ ...log, head: seq - 1 }, custom(1)))).toThrow(
        expect.objectContaining({ code: 'internal' }),
      )
      expect([log.head, [...log.records()]]).toEqual([0, []])
      appendEvents(log, [custom(1)])
      expect(log.head).toBe(1)
    })

    it('emits the records as they were written', () => {
      const log = create()
      const event = custom({ text: 'line\u2028 end' })
      const body = `{"seq":1,"at":5.5,"runId":"abcdefgh","opId":"a \\"b\\"","event":${JSON.stringify(event)}`
      const line = log.append(body)
      expect([...log.records()]).toEqual([{ seq: 1, at: 5.5, runId: 'abcdefgh', opId: 'a "b"', event, line }])
    })

    it('emits the records after a number, and none after the last', () => {
      const log = create()
      appendEvents(log, customs(50))
      const all = [...log.records()]
      for (let after = 0; after <= 50; after += 1) expect([...log.records(after)]).toEqual(all.slice(after))
      expect(all).toHaveLength(50)
    })

    it('emits records that are appended during the reading', () => {
      const log = create()
      appendEvents(log, customs(2))
      const numbers: (number | undefined)[] = []
      for (const { seq } of log.records()) {
        numbers.push(seq)
        if (log.head < 4) appendEvents(log, [custom('more')])
      }
      expect(numbers).toEqual([1, 2, 3, 4])
    })

    it('stores an event of an unknown type [EVENT-unknown]', () => {
      const log = create()
      const line = log.append('{"seq":1,"at":1,"event":{"type":"from_the_future","x":[1]}')
      expect([...log.records()]).toEqual([{ seq: 1, at: 1, event: { type: 'from_the_future', x: [1] }, line }])
    })

    it('does not number checkpoints, nor emit them as records [LOG-hidden]', () => {
      const log = create()
      appendEvents(log, [messageStart('entryaaa')])
      log.checkpoint(checkpointBody('entryaaa', 0, 'one'))
      appendEvents(log, [custom(1)])
      expect([...log.records()].map(({ seq, event }) => [seq, event.type])).toEqual([
        [1, 'message_start'],
        [2, 'custom'],
      ])
    })

    it('returns the checkpoints of an unfinished message at each opening', async () => {
      const log = create()
      appendEvents(log, [messageStart('entryaaa')])
      log.checkpoint(checkpointBody('entryaaa', 0, 'gone'))
      appendEvents(log, [messageEnd('entryaaa', 'gone'), messageStart('entrybbb')])
      log.checkpoint(checkpointBody('entrybbb', 0, 'still '))
      log.checkpoint(checkpointBody('entrybbb', 6, 'here'))
      const { log: again } = await reopen(log)
      const checkpoints = again.checkpoints()
      again.checkpoint(checkpointBody('entrybbb', 10, ', later'))
      expect(textOf(checkpoints)).toBe('still here')
      expect(textOf(checkpoints)).toBe('still here')
    })

    it('has no checkpoints when every message has ended', async () => {
      const log = create()
      appendEvents(log, [messageStart('entryaaa')])
      log.checkpoint(checkpointBody('entryaaa', 0, 'text'))
      appendEvents(log, [messageEnd('entryaaa', 'text'), custom(1)])
      expect([...(await reopen(log)).log.checkpoints()]).toEqual([])
    })

    it('continues at its end when it is opened again', async () => {
      const log = create()
      const lines = appendEvents(log, customs(3))
      const { log: again, warnings } = await reopen(log)
      expect([again.header, again.headerLine, again.head, warnings]).toEqual([log.header, log.headerLine, 3, []])
      lines.push(...appendEvents(again, [custom(4)]))
      expect([...again.records()].map(({ line }) => line)).toEqual(lines)
    })

    it('accepts no line if it was opened read-only, and emits the existing ones', async () => {
      const log = create()
      appendEvents(log, [messageStart('entryaaa')])
      log.checkpoint(checkpointBody('entryaaa', 0, 'text'))
      const { log: reader, warnings } = harness.again().open(log.header.id, { readOnly: true })
      opened.push(reader)
      const refused: unknown = expect.objectContaining({ code: 'read_only' })
      expect([reader.readOnly, log.readOnly, warnings]).toEqual([refused, undefined, []])
      expect(() => reader.append(nextBody(reader, custom(2)))).toThrow(refused)
      expect(() => {
        reader.checkpoint(checkpointBody('entryaaa', 4, 'x'))
      }).toThrow(refused)
      reader.sync()
      expect(await collect(reader.durable())).toHaveLength(1)
      expect([reader.header, reader.headerLine, reader.head]).toEqual([log.header, log.headerLine, 1])
      expect([[...reader.records()], textOf(reader.checkpoints())]).toEqual([[...log.records()], 'text'])
      appendEvents(log, [custom('on')])
      expect([log.head, [...log.records()].length]).toEqual([2, 2])
    })

    it('can be followed by a reader: it emits the existing records, then appended ones, until it is closed', async () => {
      const log = create()
      appendEvents(log, customs(3))
      const { log: reader } = harness.again().open(log.header.id, { readOnly: true })
      opened.push(reader)
      const following = follow(reader)
      const later = follow(reader, 4)
      log.checkpoint(checkpointBody('entryaaa', 0, 'never told'))
      appendEvents(log, customs(3))
      await following.until(6)
      await closeLog(log)
      const again = harness.again().open(log.header.id)
      opened.push(again.log)
      appendEvents(again.log, customs(1))
      await Promise.all([following.until(7), later.until(3)])
      const all = [...again.log.records()]
      expect([following.records, later.records]).toEqual([all, all.slice(4)])
      expect([...reader.records(2)]).toEqual(all.slice(2)) // the followed part can be read
      await closeLog(reader)
      expect([await following.end, await later.end]).toEqual(['completed', 'completed'])
      appendEvents(again.log, customs(1))
      expect(following.records).toHaveLength(7)
    })

    it('emits durable once and completes', async () => {
      const log = create()
      appendEvents(log, customs(1))
      expect(await collect(log.durable())).toHaveLength(1)
      log.sync()
      log.checkpoint(checkpointBody('entryaaa', 0, 'x'))
      expect(await collect(log.durable())).toHaveLength(1)
    })

    it('completes close, also the second time, and accepts no line afterwards', async () => {
      const log = create()
      appendEvents(log, customs(1))
      expect(await closeLog(log)).toEqual([])
      expect(await closeLog(log)).toEqual([])
      const refused: unknown = expect.objectContaining({
        code: 'storage',
        message: expect.stringContaining('closed') as string,
      })
      expect(() => log.append(nextBody(log, custom(2)))).toThrow(refused)
      expect(() => log.checkpoint(checkpointBody('entryaaa', 0, 'x'))).toThrow(refused)
      expect(() => [...log.records()]).toThrow(refused)
      expect(log.head).toBe(1)
    })

    it.each([
      '',
      'abcdefghij2',
      '../../etc/pass',
      'abcdefghij2!',
      'ABCDEFGHIJ23',
      'abcdefghij23/',
      'zzzzzzzzzzzz',
      '__proto__',
      'x'.repeat(5000),
    ])('finds no session %j [S9a]', (id) => {
      create()
      expect(() => harness.store.open(id)).toThrow(expect.objectContaining({ code: 'unknown_session' }))
    })

    it.each([
      { id: '../../../abc' },
      { id: 'short' },
      { createdAt: -1 },
      { createdAt: NaN },
      { cwd: '' },
      { parent: { sessionId: 'x', entryId: 'y' } },
    ])('refuses to create a session with the header fields %j [LOG-header]', (fields) => {
      expect(() => create(fields)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    })

    it('creates no second session with the same id and time', async () => {
      const log = create()
      appendEvents(log, customs(1))
      const refused = expect.stringMatching(/^(storage|session_locked)$/) as string
      expect(() => create()).toThrow(expect.objectContaining({ code: refused }))
      expect([...log.records()]).toHaveLength(1)
      await closeLog(log)
      expect(() => create()).toThrow(expect.objectContaining({ code: 'storage' }))
      expect((await reopen(log)).log.head).toBe(1)
    })

    it('returns the latest session of a folder, and none if there is none', () => {
      expect(harness.store.latest('/tmp')).toBeUndefined()
      create({ id: 'aaaaaaaaaaaa', cwd: '/tmp', createdAt: 1 })
      create({ id: 'bbbbbbbbbbbb', cwd: '/tmp', createdAt: 2 })
      create({ id: 'cccccccccccc', cwd: '/usr', createdAt: 3 })
      expect([harness.store.latest('/tmp'), harness.store.latest('/usr'), harness.again().latest('/tmp')]).toEqual([
        'bbbbbbbbbbbb',
        'cccccccccccc',
        'bbbbbbbbbbbb',
      ])
      expect(harness.store.latest('/nowhere')).toBeUndefined()
    })

    it('replays to the same state as the original events', async () => {
      const log = create()
      const events = turnWithTool()
      appendEvents(log, events)
      const records = [...(await reopen(log)).log.records()]
      const live = events.reduce(
        (state, event, index) =>
          foldSession(state, { event, seq: index + 1, at: records[index]?.at ?? 0, runId: 'runaaaaa' }),
        emptySession(),
      )
      const replayed = records.reduce(foldSession, emptySession())
      expect(transcript(replayed)).toEqual(transcript(live))
      expect(transcript(replayed)).toHaveLength(3)
      expect(replayed).toEqual(live)
    })

    it('returns any record byte for byte', () => {
      let count = 0
      const id = () =>
        String(count++)
          .padStart(12, 'a')
          .replace(/[0189]/g, (digit) => 'wxyz'['0189'.indexOf(digit)] ?? '')
      const data = fc.jsonValue({ stringUnit: 'binary' })
      fc.assert(
        fc.property(fc.array(fc.record({ data, checkpoint: fc.boolean() }), { maxLength: 12 }), (pieces) => {
          const log = create({ id: id() })
          const written: SessionRecord[] = pieces.map((piece) => {
            if (piece.checkpoint) log.checkpoint(checkpointBody('entryaaa', 0, JSON.stringify(piece.data)))
            const seq = log.head + 1
            const line = log.append(nextBody(log, custom(piece.data)))
            return { seq, at: sampleAt + seq, runId: 'runaaaaa', event: fromLine(line), line }
          })
          expect([...log.records()]).toEqual(written)
        }),
        { numRuns: sampleSize(25, 60) },
      )
    })
  })
}

/** The lines that a reader emits, as they come. */
function follow(reader: SessionLog, after?: number) {
  const records: SessionRecord[] = []
  const count$ = new BehaviorSubject(0)
  const end = new Promise<unknown>((resolve) => {
    reader.follow?.(after).subscribe({
      next: (record) => {
        records.push(record)
        count$.next(records.length)
      },
      error: resolve,
      complete: () => resolve('completed'),
    })
  })
  const until = (count: number) =>
    firstValueFrom(count$.pipe(filter((total) => total >= count)), { defaultValue: undefined })
  return { records, end, until }
}

/** All values that the close of a log emits: none. */
function closeLog(log: SessionLog): Promise<unknown[]> {
  return collect(log.close())
}

function collect<Value>(source$: Observable<Value>): Promise<Value[]> {
  return firstValueFrom(source$.pipe(toArray()), { defaultValue: [] })
}

function fromLine(line: string): AgentEvent {
  return (JSON.parse(line) as { event: AgentEvent }).event
}

function textOf(checkpoints: Iterable<SessionRecord>): string {
  let message = assistantMessage('')
  for (const { event } of checkpoints) if (event.type === 'message_update') message = foldMessage(message, event.delta)
  return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

/** A run with one tool call: its result's content is in two events, but in one line only. */
function turnWithTool(): AgentEvent[] {
  const call = { type: 'toolCall', id: 'call 1', name: 'read', arguments: { path: 'ü.txt' } } as const
  const assistant = { ...assistantMessage(''), content: [call], stopReason: 'toolUse' } as const
  const content = [{ type: 'text', text: 'found' }] as const
  const user = { role: 'user', content: 'Lies ü.txt', timestamp: sampleAt } as const
  const result = { role: 'toolResult', toolCallId: 'call 1', toolName: 'read', timestamp: sampleAt } as const
  return [
    { type: 'agent_start', model: 'demo/demo', tools: ['read'], thinkingLevel: 'off' },
    { type: 'turn_start', turnId: 'turnaaaa', turnIndex: 0 },
    { type: 'message_start', entryId: 'useraaaa', parentId: null, message: { ...user, content: '' } },
    { type: 'message_end', entryId: 'useraaaa', parentId: null, message: user },
    { type: 'message_start', entryId: 'asstaaaa', parentId: 'useraaaa', message: { ...assistant, content: [] } },
    { type: 'message_end', entryId: 'asstaaaa', parentId: 'useraaaa', message: assistant },
    { type: 'tool_execution_start', toolCallId: 'call 1', toolName: 'read', entryId: 'asstaaaa', args: call.arguments },
    {
      type: 'tool_execution_end',
      toolCallId: 'call 1',
      toolName: 'read',
      isError: false,
      content: [...content],
      details: { lines: 1 },
      durationMs: 2,
    },
    {
      type: 'message_start',
      entryId: 'resultaa',
      parentId: 'asstaaaa',
      message: { ...result, content: [], isError: false },
    },
    {
      type: 'message_end',
      entryId: 'resultaa',
      parentId: 'asstaaaa',
      message: { ...result, content, isError: false, details: { lines: 1 } },
    },
  ]
}
