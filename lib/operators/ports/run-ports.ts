// The ports of a run: Observables and plain values, so that virtual time drives everything.
import type { Observable, OperatorFunction } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Answer, Question } from '../../streams/ports/ask.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Hooks, ToolCallHookInput, StopRule } from '../../streams/ports/hooks.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { Invocation, Message, ToolCall, UserContent } from '../../streams/messages/message.ts'
import type { Jobs } from '../../streams/ports/jobs.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { Secrets } from '../../streams/ports/secrets.ts'
import type { ThinkingLevel, Model } from '../../streams/models/model.ts'
import type { AnyTool, PlanAnswer, ToolContext } from '../../streams/ports/tool.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import type { CallDecision, CallScheduler } from './call-scheduler.ts'
import type { IdleTimes } from '../core/time-limits.ts'
import type { Failure } from '../../streams/values/failure.ts'

/** The transcript. The run appends to it before it emits the event. */
export interface Conversation {
  /** From the root to the head, oldest first; read by the next request. */
  readonly messages: readonly Message[]
  /** The messages for a model: the user's own commands as user messages, other custom roles left out. */
  readonly modelMessages: readonly Message[]
  readonly headEntryId: string | null
  /** A fresh entry id. */
  nextEntryId(): string
  /** The message becomes the head. */
  append(entryId: string, message: Message): void
  /** The head moves to an entry of the tree (null: before the first); `history` is the path to it, oldest first. */
  moveTo(entryId: string | null, history: readonly Message[]): void
}

/** The settings of the next request and batch. They are read for each one, so a change takes effect at the next request. */
export interface RequestSettings extends ProviderModel {
  readonly system: string
  readonly thinkingLevel: ThinkingLevel
  /** The tools that the request carries. */
  readonly tools: readonly AnyTool[]
  /** The schema of the answer; the system prompt contains it too. Default: text. */
  readonly outputSchema?: OutputSchema
}

/** The context of a tool call beside its arguments. */
export interface ToolSurroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly sessionId: string
  /** Shared with the other sessions of the server. Default: none. */
  readonly locks?: Locks
  /** Of the session. Default: none. */
  readonly jobs?: Jobs
  /** Of the session. Default: none. */
  readonly sandbox?: SessionSandbox
  /** As in `ToolContext`. Default: none. */
  readonly clientFiles?: ToolContext['clientFiles']
  /** As in `ToolContext`. Default: none. */
  readonly clientTerminals?: ToolContext['clientTerminals']
}

/** A call with its final arguments, and the answer of the hook that tightens the decision. */
export interface FinalCall extends ToolCallHookInput {
  readonly hook?: CallDecision
}

/** The ports of a tool call. */
export interface CallPorts {
  /** Called for each call: a tool that was deactivated meanwhile is not run. */
  activeTools(): readonly AnyTool[]
  /** True if calls of `use_tool` are run as the calls that they name. Default: it is a name like any other. */
  readonly hasUseTool?: () => boolean
  /** The tools that the model knows: further ones of the session, and not each active tool. Default: the active ones. */
  readonly visibleTools?: () => readonly AnyTool[]
  readonly tools: ToolSurroundings
  /** The check of a tool's arguments; default the tool's own `validate`. */
  validatorOf(tool: AnyTool): ArgumentsValidator
  readonly hooks: Hooks
  /**
   * Called after the hooks, with the final arguments: emits the reason why the call may not run, or undefined. It has no time
   * limit, because it may ask the user. Absent: every call may run.
   */
  readonly refusalOf?: ((input: FinalCall) => Observable<string | undefined>) | undefined
  /**
   * True if a policy decides: `refusalOf` is called for the calls that a hook blocks too, and the calls of a parallel batch
   * wait for it side by side. Default false.
   */
  readonly hasPolicy?: boolean
  /** Asks the user on behalf of a call's tool. Absent: the question's default is the answer. */
  readonly ask?: (question: Question, call: ToolCall) => Observable<Answer>
  /** Replaces the session's plan on behalf of a tool. Absent: there is no session. */
  readonly plan?: (items: EventNamed<'plan_update'>['items']) => void
  /** Asks the user about the plan of a call, and enters the phase that follows. Absent: no phase ends with a plan. */
  readonly proposePlan?: (plan: string, call: ToolCall) => Observable<PlanAnswer>
  /** True while a question to the user is open, the present value first; time limits stand still then. Default: never. */
  readonly questionOpen$?: Observable<boolean>
  /** Milliseconds for a tool that took its signal to end after an abort. */
  readonly graceMs: number
  /** Hides secrets in what tools put out, before an event has it. Default: nothing is hidden. */
  readonly secrets?: Secrets
}

/** Idle limits of the model; only a block delta counts. */
export interface RunIdle extends IdleTimes {
  /** `first` for a local endpoint, which may have to load the model. Default: `first`. */
  readonly firstLocal?: number
}

export interface RunPorts extends CallPorts {
  readonly ids: Ids
  /** Of this run; context transforms get it. Default: the run has none. */
  readonly runId?: string
  readonly conversation: Conversation
  readonly queues: Queues
  settings(): RequestSettings
  /** Called before each request reads the settings. Default: nothing. */
  readonly onRequest?: () => void
  /** Called at each turn's start: appends the messages that waited for the turn before to end, and emits further ones. Default: nothing. */
  readonly betweenTurns?: () => Observable<AgentEvent> | undefined
  /**
   * Called before each request of a turn, after the turn's inputs and before `compactFirst`: may change what `settings`
   * returns, emits the events about it, and completes. It must not fail. A stop unsubscribes it. Default: nothing.
   */
  readonly chooseModel?: () => Observable<AgentEvent> | undefined
  /**
   * The last step of each run, before its `agent_end`; never fails. An input that comes meanwhile gets a turn, and the step is
   * repeated. Default: nothing.
   */
  readonly lastly?: () => Observable<AgentEvent>
  /** Called for each request, before `transformContext`. Default: messages have their content. */
  readonly loadBlobs?: LoadBlobs
  readonly transformContext?: OperatorFunction<AgentContext, AgentContext>
  /**
   * Called before each request of a turn, after the turn's inputs: shortens the conversation if it fills up, emits events
   * about it, and completes. It must not fail. A stop unsubscribes it. Default: nothing.
   */
  readonly compactFirst?: () => Observable<RoomEvent> | undefined
  /** Called once for a request whose context exceeds the model's window. Default: the overflow ends the message as an error. */
  readonly makeRoom?: MakeRoom
  /** Converts custom roles to model messages. Default: they are left out. */
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
  /** Runs the prepared calls of a batch in place of `scheduleCalls`. Default: side by side as far as locks allow. */
  readonly scheduleCalls?: CallScheduler
}

/** An input that a run delivers. */
export interface RunInput {
  readonly content: string | readonly UserContent[]
  readonly invocation?: Invocation
  /** Its id, if it waited in a queue. */
  readonly queueId?: string
}

export type QueueName = QueuedInput['queue']
export type QueueMode = 'one-at-a-time' | 'all'

export interface Queues {
  /** @throws Failure `overloaded` if the queue is full */
  add(input: QueuedInput): EventNamed<'queue_update'>
  /** Takes the first input or all, by the queue's mode. The caller emits the event `taken` for each. */
  take(queue: QueueName): QueuedInput[]
  /** @throws Failure `bad_request` if no such input waits: it may have been delivered */
  edit(queueId: string, content: QueuedInput['content'], invocation?: Invocation): EventNamed<'queue_update'>
  /** @throws Failure `bad_request` if no such input waits: it may have been delivered */
  remove(queueId: string): EventNamed<'queue_update'>
  /** Empties one queue; one event, even if it was empty. */
  clear(queue: QueueName): EventNamed<'queue_update'>
  /** The number of waiting inputs. */
  size(queue: QueueName): number
  /** All waiting inputs, steering first. */
  waiting(): readonly QueuedInput[]
  mode(queue: QueueName): QueueMode
  setMode(queue: QueueName, mode: QueueMode): void
}

/** A transform that loads the content which these messages only name; undefined if they name none. */
export type LoadBlobs = (messages: readonly Message[]) => ContextTransform | undefined

/** A context that exceeds the model's window. */
export interface Overflow {
  /** The model with that window. */
  readonly model: Model
  /** The provider's failure; absent: the request was counted before it was sent. */
  readonly failure?: Failure
  /** About how long the request is, in tokens: system prompt, tools and messages. */
  readonly tokens: number
}

/**
 * Shortens the context of the next request, emits events about it, and completes: the request is then repeated once, with all
 * transforms. A failure ends the message as an error. Unsubscribing cancels it.
 */
export type MakeRoom = (overflow: Overflow) => Observable<RoomEvent>

/** The events of a compaction. */
export type RoomEvent = EventNamed<'compaction' | 'compaction_progress' | 'context_edit' | 'warning'>

export interface RetryOptions {
  /** Attempts in all; of a rate limit or an overload only if a fallback or another key follows. Default 3. */
  readonly attempts?: number
  /**
   * Milliseconds for which a rate limit or an overload is waited for if neither a fallback nor another key follows; at most
   * 2³¹−1. A `retry-after` that does not fit what is left ends the attempts. Default 600,000, or 0 if `attempts` is set; 0: `attempts` alone
   * counts.
   */
  readonly busyMs?: number
  /** Milliseconds before the second attempt; doubled for each further one. Default 1,000. */
  readonly baseDelayMs?: number
  /**
   * The longest wait of the back-off, 2³¹−1 at most; within `attempts` also of a `retry-after`: more ends the attempts.
   * Default 60,000.
   */
  readonly maxDelayMs?: number
  /** A number in [0, 1) that spreads the waits. Default: `Math.random`. */
  readonly jitter?: () => number
}
