// Tests how the token usage is read from a line.
import { describe, expect, it } from 'vitest'
import { readUsage } from '../../../lib/store/log/idle-state-fold.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'

const cost = { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.30000000000000004 }
const usage: Usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost }
const turnEnd = (used: Usage): EventNamed<'turn_end'> => {
  const turn = { turnId: 'aaaaaaaa', messageEntryId: 'bbbbbbbb', toolResultEntryIds: ['cccccccc'] }
  return { type: 'turn_end', ...turn, usage: used, hasToolCalls: true, willContinue: false }
}
const lineOf = (event: object): Buffer => Buffer.from(sealLine(`{"seq":1,"at":1,"event":${JSON.stringify(event)}`))

describe('readUsage', () => {
  it.each<[string, Usage]>([
    ['all that was counted', usage],
    ['reasoning tokens', { ...usage, reasoning: 5 }],
    ['an unknown cost', { ...usage, cost: 'unknown' }],
  ])('reads %s', (_what, used) => {
    expect(readUsage(Buffer.from(sealLine(lineBody({ seq: 1, at: 1, opId: 'x', event: turnEnd(used) }))))).toEqual(used)
  })

  it('reads a line that has it at another position', () => {
    const { usage: used, hasToolCalls, ...rest } = turnEnd(usage)
    expect(readUsage(lineOf({ ...rest, hasToolCalls, usage: used }))).toEqual(usage)
  })

  it.each<[string, object]>([
    ['none', { ...turnEnd(usage), usage: null }],
    ['a part of one', { ...turnEnd(usage), usage: { input: 1 } }],
    ['a cost that is none', { ...turnEnd(usage), usage: { ...usage, cost: {} } }],
    ['another event', { type: 'agent_settled' }],
  ])('finds no usage in a line with %s', (_what, event) => {
    expect(readUsage(lineOf(event))).toBeUndefined()
  })
})
