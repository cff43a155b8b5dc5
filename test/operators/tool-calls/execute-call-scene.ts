// Provides a tool call and its tools, in virtual time.
import { executeCall } from '../../../lib/operators/tool-calls/execute-call.ts'
import type { ReadyCall } from '../../../lib/operators/ports/call-scheduler.ts'
import type { CallPorts } from '../../../lib/operators/ports/run-ports.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import type { StopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { Tool, ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { FakeToolOutput } from '../../../lib/testing/fake-tool.ts'
import { timeline } from '../../../lib/testing/timeline.ts'

type Output = FakeToolOutput | ((call: { context: ToolContext }) => FakeToolOutput)

export function ready(output: Output, more: Partial<Omit<Tool, 'name' | 'execute'>> = {}): ReadyCall {
  const tool = fakeTool('slow', output, more)
  return {
    call: { type: 'toolCall', id: 'c', name: 'slow', arguments: {} },
    tool,
    args: { a: 1 },
    argsChanged: false,
    locks: {},
  }
}

export function ports(hooks: Hooks = {}, graceMs = 5_000): CallPorts {
  return {
    activeTools: () => [],
    tools: { cwd: '/here', env: { A: 'b' }, sessionId: 'aaaaaaaaaaaa' },
    validatorOf: () => () => [],
    hooks,
    graceMs,
  }
}

export const progress = (content: string, more: Partial<ToolProgress> = {}): ToolProgress => ({
  type: 'progress',
  updateType: 'stdout',
  content,
  ...more,
})

export const letters: Record<string, ToolProgress | ToolResult> = {
  p: progress('p'),
  q: progress('q'),
  r: textResult('r'),
  s: textResult('s'),
  e: textResult('e', { isError: true }),
}

/** Progress as its text, a result as `=text`, an error result as `!text`. */
export function nameOf(event: AgentEvent): string {
  if (event.type === 'tool_execution_update') return event.content
  if (event.type !== 'tool_execution_end') return event.type
  const [first] = event.content
  return `${event.isError ? '!' : '='}${first?.type === 'text' ? first.text : ''}`
}

export function playCall(
  output: Output | string,
  options: { stop?: StopSwitch; ports?: CallPorts; tool?: Partial<Tool> } = {},
): string {
  const stop = options.stop ?? createStopSwitch()
  return timeline(
    ({ cold }) => {
      const marble = typeof output === 'string' && output.startsWith('marble ') ? output.slice(7) : undefined
      const call = ready(marble === undefined ? output : cold(marble, letters), options.tool)
      return executeCall(call, options.ports ?? ports(), stop)
    },
    { name: nameOf },
  )
}

/** The end event of a call that ends synchronously. */
export function playToEnd(output: Output, hooks: Hooks = {}): EventNamed<'tool_execution_end'> {
  const events: AgentEvent[] = []
  executeCall(ready(output), ports(hooks), createStopSwitch()).subscribe((event) => events.push(event))
  const end = events.at(-1)
  if (end?.type !== 'tool_execution_end') throw new Error('the call has not ended')
  return end
}
