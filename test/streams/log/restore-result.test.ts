// Tests that a result message gets back the fields that its log line omits.
import { describe, expect, it } from 'vitest'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { ToolResultMessage } from '../../../lib/streams/messages/message.ts'
import { restoreResult } from '../../../lib/streams/log/line-event.ts'

const shown = [{ type: 'text' as const, text: 'shown' }]
const result: ToolResultMessage = {
  role: 'toolResult',
  toolCallId: 'call_1',
  toolName: 'read',
  content: shown,
  details: { lines: 1 },
  isError: true,
  timestamp: 5,
}
const end: EventNamed<'tool_execution_end'> = {
  type: 'tool_execution_end',
  toolCallId: 'call_1',
  toolName: 'read',
  isError: true,
  content: shown,
  details: { lines: 1 },
  durationMs: 7,
}
const { content, details, isError, ...line } = result
const cut = line as ToolResultMessage // a line has less than a message: see `lineEvent`

describe('restoreResult', () => {
  it('restores what the line omits', () => expect(restoreResult(cut, end)).toEqual(result))

  it('adds no details if there were none', () => {
    const { details: _, ...plain } = end
    expect(restoreResult(cut, plain)).toEqual({ ...line, content, isError })
  })

  it('leaves a result that has its content unchanged', () =>
    expect(restoreResult(result, { ...end, isError: false })).toEqual(result))

  it('is empty if the call never ended', () =>
    expect(restoreResult(cut, undefined)).toEqual({ ...line, content: [], isError: false }))
})
