// Tests the batch of events for one write.
import { describe, expect, it } from 'vitest'
import { EventBatch } from '../../../lib/store/log/read-entries.ts'
import { readLineHead } from '../../../lib/store/lines/peek-line.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import { custom } from '../sessions/sample-records.ts'

const lineOf = (event: AgentEvent): string => sealLine(lineBody({ seq: 1, at: 1, event }))

/** Whether each line was accepted, and the resulting events. */
function batched(...lines: readonly string[]): [boolean[], readonly AgentEvent[] | undefined] {
  const batch = new EventBatch()
  return [lines.map((line) => add(batch, line)), batch.take()]
}

function add(batch: EventBatch, line: string): boolean {
  const bytes = Buffer.from(line)
  return batch.add(bytes, readLineHead(bytes) ?? expect.unreachable('it has a head'))
}

describe('a batch of events', () => {
  it('returns them in order, and starts again', () => {
    const batch = new EventBatch()
    for (const data of ['ä', { b: [1] }]) expect(add(batch, lineOf(custom(data)))).toBe(true)
    expect(batch.take()).toEqual([custom('ä'), custom({ b: [1] })])
    expect(batch.take()).toEqual([])
    add(batch, lineOf(custom('again')))
    expect(batch.take()).toEqual([custom('again')])
  })

  it('omits a line whose event must be searched', () => {
    const marked = sealLine(lineBody({ seq: 1, at: 1, opId: 'x', event: custom(1) }))
    expect(batched(marked, lineOf(custom(2)))).toEqual([[false, true], [custom(2)]])
  })

  it('holds 64 KiB', () => {
    const [taken, events] = batched(...['a', 'b', 'c'].map((unit) => lineOf(custom(unit.repeat(30_000)))))
    expect([taken, events?.length]).toEqual([[true, true, false], 2])
    expect(batched(lineOf(custom('d'.repeat(65_536))))).toEqual([[false], []])
  })

  it.each([
    ['does not fit', ['{"seq":1,"at":1,"event":{"type":"custom"}']],
    ['is no JSON', ['{"seq":1,"at":1,"event":{"type":"custom",}']],
    ['is of an unknown type', ['{"seq":1,"at":1,"event":{"type":"new_thing"}']],
    [
      'is two and another one is none',
      [
        '{"seq":1,"at":1,"event":{"type":"custom","customType":"x","data":1},{"type":"agent_settled"}',
        '{"seq":2,"at":1,"event":{"type":"agent_settled","a":[',
        '{"seq":3,"at":1,"event":{"type":"agent_settled"}]}',
      ],
    ],
  ])('returns nothing if one %s', (_what, bodies) => {
    const lines = bodies.map((body) => sealLine(body))
    expect(batched(lineOf(custom(1)), ...lines, lineOf(custom(2)))[1]).toBeUndefined()
  })
})
