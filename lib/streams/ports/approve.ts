// Who decides whether a tool call may run; without anybody to ask, only reading is allowed.
import type { Observable } from 'rxjs'
import type { AnyTool, Capability } from './tool.ts'
import type { ToolCall } from '../messages/message.ts'

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

/**
 * Decides every call that does more than read: a function; `'ask'` puts it to the session's clients as a `ui_request` of kind
 * `approval`; `'auto'` runs everything unasked. A tool with `alwaysAsk` is decided in any case.
 */
export type Approve = 'auto' | 'ask' | ((request: ApprovalRequest) => Observable<Decision>)
