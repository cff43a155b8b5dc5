// Tests `replayRecords`: the recorded intervals, at any speed.
import { describe, expect, it } from 'vitest'
import { replayRecords } from '../../../lib/services/replay/replay-records.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession } from '../../../lib/streams/state/fold-session.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { shortName } from '../../../lib/testing/short-name.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { playSession } from '../../support/virtual-session.ts'

const played = playSession({
  script: [{ text: 'x'.repeat(200), pieceLength: 20, pieceDelayMs: 10, toolCalls: [{ name: 'a' }] }, 'done'],
  tools: [fakeTool('a', 'of a')],
  prompt: 'Go',
}).records
const durable = (): SessionRecord[] => played.filter(({ seq }) => seq !== undefined)
const answers = (): SessionRecord[] =>
  durable().filter(({ event }) => event.type === 'message_end' && event.message.role === 'assistant')
const name = ({ event }: SessionRecord): string => shortName(event)
const notices = (options: Parameters<typeof replayRecords>[1], records = durable()): string =>
  timeline(replayRecords(records, options), { name })
const lastAt = (line: string): number => Number(/(\d+):\S*$/.exec(line)?.[1])
/** The same records, with this many milliseconds between them. */
const apart = (records: readonly SessionRecord[], milliseconds: number): SessionRecord[] =>
  records.map((record, index) => ({ ...record, at: index * milliseconds }))

describe('replayRecords', () => {
  it('emits the records with the recorded pauses', () => {
    const line = notices({})
    expect(line).toMatch(/^0:AS,TS,ms\(user\),me\(user\),/)
    expect(lastAt(line)).toBe(played.at(-1)?.at)
  })

  it.each([
    [2, 0.5],
    [4, 0.25],
    [0.5, 2],
  ])('takes, at speed %d, %d of the time', (speed, part) => {
    expect(lastAt(notices({ speed }))).toBeCloseTo(lastAt(notices({})) * part, -1)
  })

  it('takes no time at speed 0, and still yields to the event loop', () => {
    const many = Array.from({ length: 1_000 }, () => durable()[0] as SessionRecord)
    expect(notices({ speed: 0 }, apart(many, 1_000_000))).toMatch(/^0:(AS,)+AS,\|$/)
    let synchronously = 0
    const subscription = replayRecords(many, { speed: 0 }).subscribe(() => (synchronously += 1))
    subscription.unsubscribe()
    expect(synchronously).toBeLessThan(201)
  })

  it('does not add up the rounding of timers', () => {
    const record = durable()[0] as SessionRecord
    const line = notices({ speed: 10 }, apart(Array.from({ length: 1_001 }, () => record), 4)) // prettier-ignore
    expect(lastAt(line)).toBeGreaterThanOrEqual(399)
    expect(lastAt(line)).toBeLessThanOrEqual(401)
  })

  it('cuts long pauses, before the division by the speed', () => {
    const records = durable().slice(0, 3)
    expect(notices({}, apart(records, 3_600_000))).toBe('0:AS 5000:TS 10000:ms(user),|')
    expect(notices({ maxPauseMs: 100 }, apart(records, 3_600_000))).toBe('0:AS 100:TS 200:ms(user),|')
    expect(notices({ maxPauseMs: 100, speed: 10 }, apart(records, 3_600_000))).toBe('0:AS 10:TS 20:ms(user),|')
    expect(notices({ maxPauseMs: 0 }, apart(records, 3_600_000))).toBe('0:AS,TS,ms(user),|')
  })

  it('keeps the duration of an answer, but not the pause of an ended process', () => {
    const [start, end] = [durable()[4], answers()[0]]
    if (start === undefined || end === undefined) throw new Error('no answer')
    expect(lastAt(notices({ maxPauseMs: 50 }, apart([start, end], 8_000)))).toBe(8_000)
    const pieces = 10 + 1 + 4 // deltas of the text, of the call's arguments, and the starts and ends of the blocks
    expect(lastAt(notices({ maxPauseMs: 50 }, apart([start, end], 86_400_000)))).toBe(pieces * 1_000)
  })

  it('spreads an answer’s deltas over its duration', () => {
    const [start, end] = [durable()[4], answers()[0]]
    if (start === undefined || end === undefined) throw new Error('no answer')
    const times = [...notices({}, apart([start, end], 1_500)).matchAll(/(\d+):mu/g)].map(([, at]) => Number(at))
    expect(times).toHaveLength(15)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(80)
    expect(Math.max(...gaps)).toBeLessThan(120)
  })

  it.each([1, 0])('emits every delta of an answer, in order, before its end, at speed %d', (speed) => {
    const records = durable()
    const events: AgentEvent[] = []
    let state = emptySession()
    let compared = 0
    timeline(replayRecords(records, { speed }), {
      name: (record) => {
        const before = state.open?.message
        state = foldSession(state, record)
        events.push(record.event)
        if (record.event.type === 'message_end' && record.event.message.role === 'assistant') {
          expect(before?.content).toEqual(record.event.message.content)
          compared += 1
        }
        return ''
      },
    })
    expect(compared).toBe(2)
    expect(events.filter(({ type }) => type !== 'message_update')).toEqual(records.map(({ event }) => event))
  })

  it('ends on unsubscribe, and reads only records that are due', () => {
    const read: number[] = []
    function* counted(): Generator<SessionRecord> {
      for (const record of durable()) {
        read.push(record.seq ?? 0)
        yield record
      }
    }
    replayRecords(counted()).subscribe().unsubscribe()
    expect(read.length).toBeLessThan(durable().length)
  })

  it.each([-1, NaN, 0.001])('refuses the speed %d', (speed) => {
    expect(() => replayRecords([], { speed })).toThrow(/speed is .*; it must be 0/)
  })
})
