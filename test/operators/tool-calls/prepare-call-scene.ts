// Provides a tool call and prepares it.
import { Type } from '@sinclair/typebox'
import { expect } from 'vitest'
import { prepareCall } from '../../../lib/operators/tool-calls/prepare-call.ts'
import type { ReadyCall } from '../../../lib/operators/ports/call-scheduler.ts'
import type { RefusedCall } from '../../../lib/operators/tool-calls/prepare-call.ts'
import type { CallPorts } from '../../../lib/operators/ports/run-ports.ts'
import { compileSchema } from '../../../lib/streams/schema/compile-schema.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import type { ToolCall } from '../../../lib/streams/messages/message.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

export const parameters = Type.Object({
  path: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  tags: Type.Optional(Type.Array(Type.String())),
})

export const read = fakeTool('read', 'done', { parameters })

export const write = fakeTool('write', 'done')

export function call(args: Record<string, unknown>, more: Partial<ToolCall> = {}): ToolCall {
  return { type: 'toolCall', id: 'c', name: 'read', arguments: args, ...more }
}

export function ports(tools: readonly AnyTool[] = [read, write], hooks: Hooks = {}): CallPorts {
  return {
    activeTools: () => tools,
    tools: { cwd: '/here', env: {}, sessionId: 'aaaaaaaaaaaa' },
    validatorOf: (tool) => tool.validate ?? compileSchema(tool.parameters),
    hooks,
    graceMs: 0,
  }
}

/** Returns the values that the preparation emits synchronously. */
export function prepare(toolCall: ToolCall, callPorts = ports(), stop = createStopSwitch()) {
  const emitted: (ReadyCall | RefusedCall)[] = []
  let end = 'open'
  prepareCall(toolCall, callPorts, stop).subscribe({
    next: (step) => emitted.push(step),
    error: () => (end = 'error'),
    complete: () => (end = 'complete'),
  })
  const [step] = emitted
  return {
    step,
    end,
    count: emitted.length,
    text: refusalOf(step),
    args: step !== undefined && 'args' in step ? step.args : undefined,
  }
}

export function refusalOf(step: ReadyCall | RefusedCall | undefined): string | undefined {
  if (step === undefined || !('refusal' in step)) return undefined
  const [first] = step.refusal.content
  expect(step.refusal.isError).toBe(true)
  return first?.type === 'text' ? first.text : undefined
}

export const withHook = (beforeToolCall: NonNullable<Hooks['beforeToolCall']>) => ports([read], { beforeToolCall })

export function throwBroken(): never {
  throw new Error('broken')
}
