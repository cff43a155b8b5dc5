// Awaited hooks and the approval port: they hold the run back, for at most 30 seconds each.
// Observers subscribe to events instead.
import type { Observable, ObservableInput } from 'rxjs'
import type { AssistantMessage, Message, ToolCall, ToolResultMessage, Usage } from '../messages/message.ts'
import type { AnyTool, Capability, ToolProgress, ToolResult } from './tool.ts'
import type { UserShell } from './user-shell.ts'

export interface ToolCallHookInput {
  readonly call: ToolCall
  readonly tool: AnyTool
  /** Repaired and validated. */
  readonly args: Readonly<Record<string, unknown>>
}

/** The result of `beforeToolCall`; `undefined` or an empty stream lets the call proceed. */
export interface BeforeToolCallAnswer {
  /** The call does not run; `reason` becomes its result. */
  readonly block?: { readonly reason: string }
  /** The call asks a person, whatever else would let it run; `reason` says why. A policy that denies it still does. */
  readonly ask?: { readonly reason?: string }
  /** The tool receives these arguments instead; the transcript keeps what the model sent. */
  readonly args?: Record<string, unknown>
}

export interface BeforeTurnHookInput {
  /** 0-based, within the run. */
  readonly turnIndex: number
  /** The request's messages before transforms: the session's own list, read-only and valid during the call. */
  readonly messages: readonly Message[]
}

export interface AfterTurnHookInput {
  /** 0-based, within the run. */
  readonly turnIndex: number
  /** Absent if the turn ended before an answer began. */
  readonly message?: AssistantMessage
  /** In call order. */
  readonly results: readonly ToolResultMessage[]
}

/** An input that a client sent, before it is accepted. */
export interface InputHookInput {
  readonly source: 'prompt' | 'steer' | 'follow_up'
  /** As it was typed: a command at its start is not expanded yet. */
  readonly text: string
}

/** The result of `input`; `undefined` or an empty stream accepts the input. */
export interface InputAnswer {
  /** The input is refused with `bad_request`; the client gets the reason. */
  readonly block?: { readonly reason: string }
  /** The extension has done what the input is for: nothing is sent, and the client hears that it was handled. Of prompts alone. */
  readonly handled?: true
  /** Taken in place of the text, before a command at its start is expanded. */
  readonly text?: string
}

/** A run that would end by itself. */
export interface RunEndHookInput {
  /** The last answer; absent if there was none. */
  readonly message?: AssistantMessage
  /** How often a hook has let this run go on. */
  readonly continued: number
}

/** The result of `runEnd`; `undefined` or an empty stream lets the run end. */
export interface RunEndAnswer {
  /** The run goes on with this text as a follow-up of the user. */
  readonly continueWith?: string
}

/** A shell command of a person (`user_bash`), before it runs. */
export interface UserCommandInput {
  readonly command: string
  /** True if the model is not to see it. */
  readonly exclude: boolean
}

/** The result of `userCommand`; `undefined` or an empty stream lets the session's shell run the command. */
export interface UserCommandAnswer {
  /** The command is refused with `not_allowed`; the client gets the reason. */
  readonly block?: { readonly reason: string }
  /** Runs in place of the command, and is what the log has. */
  readonly command?: string
  /** Runs the command in place of the session's shell; `endWhen$` has to end it. */
  readonly run?: (...args: Parameters<UserShell>) => ReturnType<UserShell>
}

/** A person goes to another session, or to another place of this one. */
export type LeaveStep =
  | {
      readonly type: 'switch'
      readonly to: 'new' | 'open'
      /** The session that is opened; absent if it is not known yet. */
      readonly session?: string | undefined
    }
  | {
      readonly type: 'branch'
      /** The entry that the conversation goes on from; null: before the first. Absent for `undo`. */
      readonly entryId?: string | null | undefined
      /** True: the branch is copied into a session of its own, and this one stays as it is. */
      readonly copy: boolean
      readonly summarise: boolean
      readonly restoreFiles: boolean
    }

/** The result of `beforeLeave`; `undefined` or an empty stream lets it happen. */
export interface LeaveAnswer {
  /** The step is refused with `not_allowed`; the client gets the reason. */
  readonly cancel?: { readonly reason: string }
}

/** The result itself, or a promise or an Observable of it; undefined means none. */
export type HookAnswer<Answer> = Answer | undefined | ObservableInput<Answer | undefined>

/**
 * Each hook may return a value, a promise, or an Observable whose first value is used. A tool hook that throws, fails
 * or takes longer than 30 s turns its call into an error result; a turn hook that does so ends the run as `error`. A
 * stop does not wait for hooks.
 */
export interface Hooks {
  /** Milliseconds that each hook may take, at most 2³¹−1. Default 30,000. */
  readonly limitMs?: number
  /** Delays a prompt, steer or follow-up, and may refuse it or change its text; a throw refuses it too. */
  input?(input: InputHookInput): HookAnswer<InputAnswer>
  /** Delays a shell command of a person; a throw refuses it. */
  userCommand?(input: UserCommandInput): HookAnswer<UserCommandAnswer>
  /** Delays `branch_session` and `undo`, and `new_session` and `open_session` of a client that leaves this session; a throw refuses them. */
  beforeLeave?(step: LeaveStep): HookAnswer<LeaveAnswer>
  /** Delays the request, after the inputs that the turn delivers. Its result is ignored. */
  beforeTurn?(input: BeforeTurnHookInput): unknown
  /** Delays `turn_end`, after the turn's results. Not called once the run stops. Its result is ignored. */
  afterTurn?(input: AfterTurnHookInput): unknown
  /**
   * Delays the end of a run that nothing else ends: no tool call, no queued input, no stop, budget or failure. Asked again at
   * each such end, at most 20 times a run. A throw ends the run as `error`.
   */
  runEnd?(input: RunEndHookInput): HookAnswer<RunEndAnswer>
  beforeToolCall?(input: ToolCallHookInput): HookAnswer<BeforeToolCallAnswer>
  /**
   * Returns the stream to use in place of the tool's output: `(result$) => result$.pipe(retry(2))`, or one that never subscribes
   * to it. Progress passes through it; its first result counts. The time limit, the stop and `afterToolCall` apply to it. Not
   * called for a call that may not run.
   */
  aroundTool?(
    output$: Observable<ToolProgress | ToolResult>,
    input: ToolCallHookInput,
  ): Observable<ToolProgress | ToolResult>
  /** May replace the result; a throw becomes the error result. Not called for a call that did not run. */
  afterToolCall?(input: ToolCallHookInput & { readonly result: ToolResult }): HookAnswer<ToolResult>
}

// Approval of tool calls. Without an `approve` option only tools that read may run.

export interface ApprovalRequest {
  readonly call: ToolCall
  readonly tool: AnyTool
  /** Repaired and validated: the arguments that the tool would receive. */
  readonly args: Readonly<Record<string, unknown>>
  readonly capability: Capability
}

export interface Decision {
  readonly decision: 'allow' | 'deny'
  /** Sent to the model if the call is denied. */
  readonly reason?: string
}

/**
 * Decides every call that does more than read: a function, whose answer may be a value, a promise or an Observable; `'ask'` sends a `ui_request` of kind `approval` to the
 * session's clients; `'auto'` runs everything without asking. A tool with `alwaysAsk` is decided in any case.
 */
export type Approve = 'auto' | 'ask' | ((request: ApprovalRequest) => HookAnswer<Decision>)

// Stop rules: what ends a run between two turns.

/** The turn that a stop rule looks at. */
export interface FinishedTurn {
  /** Turns finished so far in this run, this one included. */
  readonly turns: number
  /** Of the whole run so far. */
  readonly usage: Usage
  readonly message: AssistantMessage | undefined
  readonly results: readonly ToolResultMessage[]
  /** The longest row of identical calls (same tool, same arguments) that this turn is part of; 0 without calls. */
  readonly sameCalls: number
}

/** A condition at the end of a turn that ends the run. `stopRule` makes one of a stream. */
export interface StopRule {
  readonly name: string
  /** `budget_exceeded` for a budget, `stopped` (default) for everything else. */
  readonly reason?: 'stopped' | 'budget_exceeded'
  /** True ends the run after this turn. */
  matches(turn: FinishedTurn): boolean
  /** The reason why the rule cannot decide, for one `warning` a run. Default: it can. */
  cannotTell?(turn: FinishedTurn): string | undefined
  /** The rule for one run, with a state of its own. Called when the run starts. Default: the rule itself, for every run. */
  begin?(): StopRule
  /** Releases what `begin` holds. Called on its result, when the run has ended or was unsubscribed. */
  end?(): void
}
