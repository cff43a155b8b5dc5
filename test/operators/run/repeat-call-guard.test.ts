// Tests the count of identical tool calls in a row.
import { describe, expect, it } from 'vitest'
import { countCalls, noCalls } from '../../../lib/operators/run/repeat-call-guard.ts'
import type { ToolCall } from '../../../lib/streams/messages/message.ts'

const read = (fields: Partial<ToolCall> = {}): ToolCall => ({
  type: 'toolCall',
  id: 'a',
  name: 'read',
  arguments: { path: 'a' },
  ...fields,
})

describe('countCalls', () => {
  it('counts a row over several turns', () => {
    const first = countCalls(noCalls, [read()])
    const second = countCalls(first.row, [read({ id: 'b' })])
    expect([first.longest, second.longest, second.row]).toEqual([1, 2, { last: read({ id: 'b' }), length: 2 }])
  })

  it.each<[string, Partial<ToolCall>]>([
    ['another tool', { name: 'look' }],
    ['other arguments', { arguments: { path: 'b' } }],
    ['other text in place of arguments', { argumentsText: '{"path' }],
  ])('starts a new row with %s', (_, other) => {
    expect(countCalls(noCalls, [read(), read(other)])).toMatchObject({ longest: 1, row: { length: 1 } })
  })

  it('keeps the row over a turn without calls, which has length 0 itself', () => {
    const { row } = countCalls(noCalls, [read(), read()])
    expect(countCalls(row, [])).toEqual({ row, longest: 0, warnings: [] })
  })

  it('finds the longest row of a turn, also before another call', () => {
    expect(countCalls(noCalls, [read(), read(), read({ name: 'look' })]).longest).toBe(2)
  })

  it('warns once of a row, at its third call', () => {
    const calls = Array.from({ length: 5 }, () => read())
    expect(countCalls(noCalls, calls.slice(0, 2)).warnings).toEqual([])
    expect(countCalls(noCalls, calls).warnings).toEqual([
      {
        type: 'warning',
        code: 'same_call_repeated',
        message: 'The model has called read 3 times in a row with the same arguments',
        context: { toolName: 'read', times: 3 },
        recoverable: true,
      },
    ])
  })
})
