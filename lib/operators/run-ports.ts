// What a run is given of the world: all of it Observables and plain values, so that virtual time drives everything.
import type { Observable, OperatorFunction } from 'rxjs'
import type { AgentContext } from '../streams/agent-context.ts'
import type { Answer, Question } from '../streams/ask.ts'
import type { AgentEvent } from '../streams/event.ts'
import type { Hooks, ToolCallHookInput } from '../streams/hooks.ts'
import type { Ids } from '../streams/identifiers.ts'
import type { Message, ToolCall, UserContent } from '../streams/message.ts'
import type { OutputSchema } from '../streams/output-schema.ts'
import type { ProviderModel } from '../streams/provider.ts'
import type { ThinkingLevel } from '../streams/thinking-level.ts'
import type { AnyTool, ArgumentsValidator } from '../streams/tool.ts'
import type { BringBack } from './content-back.ts'
import type { IdleTimes } from './idle-watch.ts'
import type { MakeRoom } from './make-room.ts'
import type { Queues } from './queues.ts'
import type { RetryOptions } from './retry-request.ts'
import type { StopRule } from './stop-when.ts'

/** The transcript as the run grows it: state first, then the event. */
export interface Conversation {
  /** From the root to the head, oldest first; read by the next request. */
  readonly messages: readonly Message[]
  /** The same as a model may be told: people's own commands as users' messages, other custom roles left out. */
  readonly modelMessages: readonly Message[]
  readonly headEntryId: string | null
  /** A fresh entry id. */
  nextEntryId(): string
  /** The message becomes the head. */
  append(entryId: string, message: Message): void
  /** The head moves to an entry of the tree (null: before the first); `history` is what leads there, oldest first. */
  moveTo(entryId: string | null, history: readonly Message[]): void
}

/** What the next request and the next batch use; asked for anew each time, so that changes take effect at the next request. */
export interface RequestSettings extends ProviderModel {
  readonly system: string
  readonly thinkingLevel: ThinkingLevel
  /** The active tools. */
  readonly tools: readonly AnyTool[]
  /** What the answer shall be; the system prompt says it too. Default: text. */
  readonly outputSchema?: OutputSchema
}

/** What a tool call gets beside its arguments. */
export interface ToolSurroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly sessionId: string
}

/** What a tool call needs of a run. */
export interface CallPorts {
  /** Asked anew for each call: one that is switched off meanwhile is not run. */
  activeTools(): readonly AnyTool[]
  readonly tools: ToolSurroundings
  /** The check of a tool's arguments; default the tool's own `validate`. */
  validatorOf(tool: AnyTool): ArgumentsValidator
  readonly hooks: Hooks
  /**
   * Asked after the hooks, on the final arguments: why the call may not run, or undefined. It has no time limit, for a person
   * may be asked. Absent: every call may.
   */
  readonly refusalOf?: ((input: ToolCallHookInput) => Observable<string | undefined>) | undefined
  /** Asks a person for a call's tool. Absent: nobody can be asked, and the question's default counts. */
  readonly ask?: (question: Question, call: ToolCall) => Observable<Answer>
  /**
   * Whether people are asked something now, the present value first: the time limits of tools, hooks and attempts stand still
   * meanwhile. Default: they never are.
   */
  readonly asked$?: Observable<boolean>
  /** Milliseconds that a tool which took its signal has to end after an abort. */
  readonly graceMs: number
}

/** How long a model may say nothing; what counts is a block delta. */
export interface RunIdle extends IdleTimes {
  /** `first` for a local endpoint, which may have to load the model. Default: `first`. */
  readonly firstLocal?: number
}

export interface RunPorts extends CallPorts {
  readonly ids: Ids
  readonly conversation: Conversation
  readonly queues: Queues
  settings(): RequestSettings
  /** Asked at each turn's start: puts into the conversation, and tells, what waited for the turn before to end. Default: nothing. */
  readonly betweenTurns?: () => undefined
  /** What the run does last, before its `agent_end`, whatever ended it; never fails. Default: nothing. */
  readonly lastly?: () => Observable<AgentEvent>
  /** Asked for each request, before `transformContext`. Default: messages have their content. */
  readonly bringBack?: BringBack
  readonly transformContext?: OperatorFunction<AgentContext, AgentContext>
  /** Asked once a request whose context is longer than the model takes. Default: the overflow ends the message as an error. */
  readonly makeRoom?: MakeRoom
  /** Custom roles to model messages. Default: they are left out. */
  readonly convertToLlm?: (messages: readonly Message[]) => readonly Message[]
  readonly stopWhen: readonly StopRule[]
  /** Milliseconds; 0 = none. */
  readonly wallClockMs: number
  readonly idle: RunIdle
  readonly retry: RetryOptions
  /** Default `wait`: a steer is delivered after the batch; `interrupt`: calls of the batch that have not started are skipped. */
  readonly steering?: 'wait' | 'interrupt'
  /** Default `parallel`: side by side as far as locks allow. */
  readonly toolExecution: 'parallel' | 'sequential'
}

/** An input as the run delivers it. */
export interface RunInput {
  readonly content: string | readonly UserContent[]
  /** Where it waited in a queue. */
  readonly queueId?: string
}
