// Awaited hooks hold the run back, for at most 30 seconds each; whoever only wants to look subscribes to the events.
import type { ObservableInput } from 'rxjs'
import type { ToolCall } from './message.ts'
import type { AnyTool, ToolResult } from './tool.ts'

export interface ToolCallHookInput {
  readonly call: ToolCall
  readonly tool: AnyTool
  /** Repaired and validated. */
  readonly args: Readonly<Record<string, unknown>>
}

/** What `beforeToolCall` may answer; `undefined` or an empty stream: go on. */
export interface BeforeToolCallAnswer {
  /** The call is not run; `reason` becomes its result. */
  readonly block?: { readonly reason: string }
  /** What the tool gets instead; the transcript keeps what the model sent. */
  readonly args?: Record<string, unknown>
}

export interface Hooks {
  beforeToolCall?(input: ToolCallHookInput): ObservableInput<BeforeToolCallAnswer | undefined>
  /** May replace the result; its throw becomes the error result. Not called for a call that was not run. */
  afterToolCall?(input: ToolCallHookInput & { readonly result: ToolResult }): ObservableInput<ToolResult | undefined>
}
