// Awaited hooks hold the run back, for at most 30 seconds each; whoever only wants to look subscribes to the events.
import type { ObservableInput, Observable } from 'rxjs'
import type { AssistantMessage, Message, ToolCall, ToolResultMessage } from '../messages/message.ts'
import type { AnyTool, ToolResult, Capability } from './tool.ts'

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

export interface BeforeTurnHookInput {
  /** 0-based, within the run. */
  readonly turnIndex: number
  /** What the request will hold, before transforms: the session's own list, to be read and not to be kept. */
  readonly messages: readonly Message[]
}

export interface AfterTurnHookInput {
  readonly turnIndex: number
  /** Absent where the turn ended before an answer began. */
  readonly message?: AssistantMessage
  /** In call order. */
  readonly results: readonly ToolResultMessage[]
}

/** The answer itself, or a promise or an Observable of it; undefined: there is none. */
export type HookAnswer<Answer> = Answer | undefined | ObservableInput<Answer | undefined>

/**
 * Each may answer at once, with a promise or with an Observable, of which the first value counts. A hook that throws, fails or takes
 * longer than 30 s becomes the error result of its call, or ends the run as `error` where it is a turn's. A stop waits for none.
 */
export interface Hooks {
  /** Holds the request back, behind the inputs that the turn delivers. What it answers says nothing. */
  beforeTurn?(input: BeforeTurnHookInput): unknown
  /** Holds `turn_end` back, behind the turn's results. Not asked once the run is to stop. What it answers says nothing. */
  afterTurn?(input: AfterTurnHookInput): unknown
  beforeToolCall?(input: ToolCallHookInput): HookAnswer<BeforeToolCallAnswer>
  /** May replace the result; its throw becomes the error result. Not called for a call that was not run. */
  afterToolCall?(input: ToolCallHookInput & { readonly result: ToolResult }): HookAnswer<ToolResult>
}

// Who decides whether a tool call may run; without anybody to ask, only reading is allowed.

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
