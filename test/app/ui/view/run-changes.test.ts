// Tests the line at the end of a run.
import { describe, expect, it } from 'vitest'
import type { AgentEvent, EventNamed } from '../../../../lib/streams/events/event.ts'
import { noUsage } from '../../../../lib/streams/messages/message.ts'
import { shortly, notices, viewOf } from './view-scene.ts'

const start: AgentEvent = { type: 'agent_start', model: 'p/m', tools: [], thinkingLevel: 'off' }

function changed(path: string, diff: string, isError = false): AgentEvent {
  const of = { toolCallId: path, toolName: 'edit', entryId: 'abcdefg2' } as const
  return { type: 'tool_execution_end', ...of, isError, content: [], details: { path, diff }, durationMs: 1 }
}

function end(more: Partial<EventNamed<'agent_end'>> = {}): AgentEvent {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.03 }
  const usage = { ...noUsage, cost }
  return { type: 'agent_end', totalTurns: 1, usage, durationMs: 42_000, terminationReason: 'completed', ...more }
}

const view = (...events: readonly AgentEvent[]): string => shortly(viewOf(...events.map((event) => notices(event))))

const two = '@@ -1,2 +1,3 @@\n-a\n-b\n+c\n+d\n+e\n'

describe('the end of a run', () => {
  it('has its time, changed files and cost [SCREEN-end]', () => {
    const again = changed('a.ts', '@@ -1 +1 @@\n-c\n+d\n')
    expect(view(start, changed('a.ts', two), again, changed('b.ts', two), changed('c', two, true), end())).toContain(
      'end(42 s · 2 files +7 −5 · $0.03)',
    )
  })

  it('leaves out counts that are zero or unknown', () => {
    expect(view(start, end({ usage: { ...noUsage, cost: 'unknown' } }))).toContain('end(42 s)')
  })

  it('has no time for a stopped run, whose notice has it, and no line for one without changes and cost', () => {
    const free = { ...noUsage, cost: 'unknown' } as const
    expect(view(start, end({ terminationReason: 'aborted', usage: free }))).not.toContain('end(')
    expect(view(start, changed('a.ts', two), end({ terminationReason: 'aborted', usage: free }))).toContain(
      'end(1 file +3 −2)',
    )
  })
})
