// Tests the short names of events.
import { describe, expect, it } from 'vitest'
import { shortName, shortNotation } from '../../lib/testing/short-name.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'

const settled: AgentEvent = { type: 'agent_settled' }
const user: AgentEvent = {
  type: 'message_end',
  entryId: 'aaaaaaaa',
  parentId: null,
  message: { role: 'user', content: 'hi', timestamp: 0 },
}
const result: AgentEvent = {
  type: 'message_start',
  entryId: 'aaaaaaab',
  parentId: 'aaaaaaaa',
  message: { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [], isError: false, timestamp: 0 },
}
const execution: AgentEvent = { type: 'tool_execution_start', toolCallId: 'c1', toolName: 'read', entryId: 'aaaaaaaa' }
const update: AgentEvent = {
  type: 'message_update',
  entryId: 'aaaaaaaa',
  delta: { type: 'text_delta', contentIndex: 0, offset: 0, text: 'x' },
}
const retry: AgentEvent = { type: 'auto_retry', attempt: 2, delayMs: 1, kind: 'network' }

describe('shortName', () => {
  it.each([
    [settled, 'SET', 'SET'],
    [user, 'me(user)', 'me(user)'],
    [result, 'ms(result)', 'ms(c1)'],
    [execution, 'xs', 'xs(c1)'],
    [retry, 'auto_retry', 'auto_retry'],
  ])('of %j', (event, plain, withCalls) => {
    expect([shortName(event), shortName(event, { calls: true })]).toEqual([plain, withCalls])
  })

  it('joins adjacent updates into one', () => {
    expect(shortNotation([update, update, user, update])).toBe('mu me(user) mu')
  })
})
