// Declares the hooks of extensions: what each gets, and what it may return.
import type { Observable } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import type {
  AfterTurnHookInput,
  BeforeToolCallAnswer,
  BeforeTurnHookInput,
  HookAnswer,
  InputAnswer,
  InputHookInput,
  LeaveAnswer,
  LeaveStep,
  RunEndAnswer,
  RunEndHookInput,
  ToolCallHookInput,
  UserCommandInput,
} from '../../streams/ports/hooks.ts'
import type { AgentContext, Summary, SummaryRequest } from '../../streams/ports/agent-context.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'

/** A run that has its prompt, before its first request. */
export interface AgentStartInput {
  /** The text of the prompt as the model gets it; empty if a run continues without one. */
  readonly prompt: string
}

export interface AgentStartAnswer {
  /** Appended to the conversation before the first request: the model reads it, and the log keeps it. */
  readonly note?: string
}

/** An HTTP request to a model's provider. Credentials are left out. */
export interface ModelRequestInput {
  /** Without a query. */
  readonly url: string
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON body; undefined if the body is no JSON. */
  readonly payload: unknown
}

export interface ModelRequestAnswer {
  /** Added to the request's headers; null removes one. Credentials stay as they are. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent in place of the payload. */
  readonly payload?: unknown
}

export interface ModelResponseInput {
  /** Without a query. */
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The answer instead of the summariser's; undefined lets it work. */
export interface CompactAnswer {
  /** Nothing is compacted; the reason is shown. */
  readonly cancel?: { readonly reason: string }
  readonly summary?: string | Summary
}

export interface SessionStartInput {
  /** `open` if the session was stored before, `reload` if the extension was loaded anew while the session is open. */
  readonly reason: 'new' | 'open' | 'reload'
}

export interface SessionSwitchInput {
  /** The session that it came from. */
  readonly previous: string
}

/** How a shell command of a person ended; null if a signal ended it, or nobody knows. */
export interface UserCommandEnd {
  readonly exitCode: number | null
}

/** The first that is set counts. All but `block` need the capability `exec`. */
export interface UserBashAnswer {
  /** The command is refused; the client gets the reason. */
  readonly block?: { readonly reason: string }
  /** Nothing runs: this is its output and its end. */
  readonly result?: UserCommandEnd & { readonly output: string }
  /**
   * Runs the command in place of the session's shell: output as text, then one end. Unsubscribing has to end it. A failure is its
   * last output.
   */
  readonly run?: (command: string) => Observable<string | UserCommandEnd>
  /** Runs in place of the command, and is what the log has. */
  readonly command?: string
}

/** Each hook by name: a function of the first member, whose answer is the second. */
export interface ExtensionHookTypes {
  /** An input before it is accepted: refuse it, or change its text. */
  input: [InputHookInput, InputAnswer]
  before_agent_start: [AgentStartInput, AgentStartAnswer]
  /** The context of a request: return another one. */
  context: [AgentContext, AgentContext]
  before_request: [ModelRequestInput, ModelRequestAnswer]
  after_response: [ModelResponseInput, unknown]
  /** A call with valid arguments: block it, let it ask a person, or change its arguments. */
  tool_call: [ToolCallHookInput, BeforeToolCallAnswer]
  /** A result before the model gets it: return another one. */
  tool_result: [ToolCallHookInput & { readonly result: ToolResult }, ToolResult]
  /** A shell command of a person, `!command` in the terminal: refuse it, change it, or run it elsewhere. */
  user_bash: [UserCommandInput, UserBashAnswer]
  message_end: [EventNamed<'message_end'>, unknown]
  turn_start: [BeforeTurnHookInput, unknown]
  turn_end: [AfterTurnHookInput, unknown]
  /** A run that would end by itself: let it go on with a text. */
  agent_end: [RunEndHookInput, RunEndAnswer]
  agent_settled: [EventNamed<'agent_settled'>, unknown]
  session_start: [SessionStartInput, unknown]
  /** A new session goes on where another one stopped: it was made of a branch of it. Called after `session_start`. */
  session_switch: [SessionSwitchInput, unknown]
  /** A client leaves this session for another one, and says so: cancel it. */
  before_switch: [Extract<LeaveStep, { type: 'switch' }>, LeaveAnswer]
  /** The conversation is to go on from another entry, here or in a copy: cancel it. */
  before_branch: [Extract<LeaveStep, { type: 'branch' }>, LeaveAnswer]
  /** The conversation goes on from an earlier entry. */
  branch: [EventNamed<'head_moved'>, unknown]
  compact: [SummaryRequest, CompactAnswer]
  model_select: [EventNamed<'model_change'>, unknown]
  /** The session is closed, or the extension is unloaded. */
  shutdown: [{ readonly reason: 'close' | 'unload' }, unknown]
}

export type HookName = keyof ExtensionHookTypes

/** A hook: its answer is a value, a promise or an Observable, whose first value counts; undefined changes nothing. */
export type ExtensionHook<Name extends HookName> = (
  input: ExtensionHookTypes[Name][0],
) => HookAnswer<ExtensionHookTypes[Name][1]>
