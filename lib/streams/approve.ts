// Who decides whether a tool call may run; without anybody to ask, only reading is allowed.
import type { Observable } from 'rxjs'
import type { AnyTool, Capability } from './tool.ts'
import type { ToolCall } from './message.ts'

export interface ApprovalRequest {
  readonly call: ToolCall
  readonly tool: AnyTool
  /** Repaired and validated: what the tool would get. */
  readonly args: Readonly<Record<string, unknown>>
  readonly capability: Capability
}

export interface Decision {
  readonly decision: 'allow' | 'deny'
  /** Told to the model where the call is denied. */
  readonly reason?: string
}

/** A function that is asked for every call that does more than read, or `'auto'`: everything runs unasked. */
export type Approve = 'auto' | ((request: ApprovalRequest) => Observable<Decision>)
