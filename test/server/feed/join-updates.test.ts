// Tests `updateJoiner`: it merges deltas by block, and tool output by call and kind.
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { updateJoiner } from '../../../lib/server/feed/join-updates.ts'

function piece(contentIndex: number, offset: number, text: string): AgentEvent {
  return { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'text_delta', contentIndex, offset, text } }
}
function output(toolCallId: string, updateType: 'stdout' | 'stderr', offset: number, content: string): AgentEvent {
  return { type: 'tool_execution_update', toolCallId, updateType, content, offset }
}

describe('updateJoiner', () => {
  it('joins pieces by block, and output by call and kind', () => {
    const joined = updateJoiner()
    const added = [
      piece(0, 4, 'ab'),
      output('1', 'stdout', 0, 'x'),
      piece(0, 6, 'c'),
      output('1', 'stderr', 9, 'e'),
      output('1', 'stdout', 1, 'y'),
      output('2', 'stdout', 0, 'z'),
    ].map((event) => joined.add(event))
    expect([added.every(Boolean), joined.length]).toEqual([true, 7])
    expect(joined.take()).toEqual([
      piece(0, 4, 'abc'),
      output('1', 'stdout', 0, 'xy'),
      output('1', 'stderr', 9, 'e'),
      output('2', 'stdout', 0, 'z'),
    ])
    expect([joined.length, joined.take()]).toEqual([0, []])
  })

  it.each<[string, AgentEvent]>([
    [
      'a block’s start',
      { type: 'message_update', entryId: 'aaaaaaaa', delta: { type: 'text_start', contentIndex: 0 } },
    ],
    ['output behind a gap', output('1', 'stdout', 5, 'x')],
    ['a percentage alone', output('2', 'stdout', 0, '')],
    ['what is no piece', { type: 'agent_settled' }],
  ])('does not take %s', (_, event) => {
    const joined = updateJoiner()
    joined.add(output('1', 'stdout', 0, 'abc'))
    expect([joined.add(event), joined.length]).toEqual([false, 3])
  })
})
