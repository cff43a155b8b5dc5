// Creates a scripted tool that records its calls.
import { Type } from '@sinclair/typebox'
import { of } from 'rxjs'
import type { Observable } from 'rxjs'
import { textResult } from '../streams/ports/tool.ts'
import type { Tool, ToolContext, ToolProgress, ToolResult } from '../streams/ports/tool.ts'

/** A text is a synchronous result; an Observable, such as a cold marble, emits progress and the result. */
export type FakeToolOutput = string | Observable<ToolProgress | ToolResult> | Promise<ToolResult>

export interface FakeToolCall {
  readonly args: Readonly<Record<string, unknown>>
  readonly context: ToolContext
}

export interface FakeTool extends Tool {
  /** Every call so far, in order of execution. */
  readonly calls: readonly FakeToolCall[]
}

/**
 * A tool that takes any arguments. `more` sets its other properties: parameters, `validate`, `locks`, `mustSerial` …
 *
 * `fakeTool('slow', cold('---r|', { r: textResult('done') }))`
 */
export function fakeTool(
  name: string,
  answer: FakeToolOutput | ((call: FakeToolCall) => FakeToolOutput),
  more: Partial<Omit<Tool, 'name' | 'execute'>> = {},
): FakeTool {
  const calls: FakeToolCall[] = []
  return {
    name,
    description: `The fake tool ${name}`,
    parameters: Type.Object({}),
    ...(more.parameters === undefined ? { validate: () => [] } : {}),
    ...more,
    calls,
    execute: (args: Readonly<Record<string, unknown>>, context) => {
      const call = { args, context }
      calls.push(call)
      const output = typeof answer === 'function' ? answer(call) : answer
      return typeof output === 'string' ? of(textResult(output)) : output
    },
  }
}
