// Tests `toolEnd`, which makes the end event of a tool call.
import { describe, expect, it } from 'vitest'
import { createToolEnd } from '../../../lib/operators/tool-calls/tool-events.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'

const call = { id: 'c', name: 'look' }

describe('createToolEnd', () => {
  it('is the result of the tool', () => {
    expect(createToolEnd(call, textResult('noon', { details: { at: 12 }, terminate: true }), 7)).toEqual({
      type: 'tool_execution_end',
      toolCallId: 'c',
      toolName: 'look',
      isError: false,
      content: [{ type: 'text', text: 'noon' }],
      details: { at: 12 },
      terminate: true,
      durationMs: 7,
    })
  })

  it('has no negative duration if the clock was set back', () => {
    expect(createToolEnd(call, textResult('noon'), -3_600_000)).toMatchObject({ isError: false, durationMs: 0 })
  })
})
