import { describe, expect, it } from 'vitest'
import { replayedRecords } from '../../lib/session/replayed-records.ts'
import type { AgentEvent } from '../../lib/streams/event.ts'
import { emptySession, foldSession } from '../../lib/streams/fold-session.ts'
import type { SessionRecord } from '../../lib/streams/session-record.ts'
import { shortName } from '../../lib/testing/short-name.ts'
import { timeline } from '../../lib/testing/timeline.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { playSession } from '../support/virtual-session.ts'

const scene = {
  script: [{ text: 'x'.repeat(200), pieceLength: 20, pieceDelayMs: 10, toolCalls: [{ name: 'a' }] }, 'done'],
  tools: [fakeTool('a', 'of a')],
  prompt: 'Go',
}
const durable = (): SessionRecord[] => playSession(scene).records.filter(({ seq }) => seq !== undefined)
const name = ({ event }: SessionRecord): string => shortName(event)

function told(options: Parameters<typeof replayedRecords>[1], records = durable()): string {
  return timeline(replayedRecords(records, options), { name })
}

describe('replayedRecords', () => {
  it('tells what was recorded, as long after one another as it was', () => {
    const line = told({})
    expect(line).toMatch(/^0:AS,TS,ms\(user\),me\(user\),/)
    const last = playSession(scene).records.at(-1)?.at
    expect(line).toContain(`${last}:`)
  })

  it.each([
    [2, 0.5],
    [4, 0.25],
    [0, 0],
  ])('takes at speed %i %f of the time', (speed, part) => {
    const at = (line: string): number => Number(/(\d+):\S*$/.exec(line)?.[1])
    expect(at(told({ speed }))).toBeCloseTo(at(told({})) * part, -1)
  })

  it('shortens what was long', () => {
    const records = durable().map((record, index) => ({ ...record, at: index === 0 ? 0 : 3_600_000 }))
    expect(told({ longestPauseMs: 1_000 }, records)).toMatch(/^0:AS 1000:TS/)
  })

  it('gives back every piece of an answer, in order, before its end: the folds are the same', () => {
    const records = durable()
    const events: AgentEvent[] = []
    let state = emptySession()
    replayedRecords(records, { speed: 0 }).subscribe((record) => {
      const before = state.open?.message
      state = foldSession(state, record)
      events.push(record.event)
      if (record.event.type === 'message_end' && record.event.message.role === 'assistant')
        expect(before?.content).toEqual(record.event.message.content)
    })
    expect(events.filter(({ type }) => type === 'message_update').length).toBeGreaterThan(10)
    expect(events.filter(({ type }) => type !== 'message_update')).toEqual(records.map(({ event }) => event))
  })

  it('ends with its subscription', () => {
    const read: number[] = []
    function* counted(): Generator<SessionRecord> {
      for (const record of durable()) {
        read.push(record.seq ?? 0)
        yield record
      }
    }
    replayedRecords(counted()).subscribe().unsubscribe()
    expect(read.length).toBeLessThan(durable().length)
  })

  it('refuses a speed that is none', () => {
    expect(() => replayedRecords([], { speed: -1 })).toThrow(/no speed -1/)
    expect(() => replayedRecords([], { speed: NaN })).toThrow(/no speed/)
  })
})
