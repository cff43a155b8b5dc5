// What a run is given of the world: all of it Observables and plain values, so that virtual time drives everything.
import type { Observable, OperatorFunction } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Answer, Question } from '../../streams/ports/ask.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Hooks, ToolCallHookInput } from '../../streams/ports/hooks.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserContent,
} from '../../streams/messages/message.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ThinkingLevel } from '../../streams/models/thinking-level.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { ArgumentsValidator } from '../../streams/schema/compiled-validator.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import type { IdleTimes } from '../core/time-limits.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { Model } from '../../streams/models/model.ts'

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

export type QueueName = QueuedInput['queue']
export type QueueMode = 'one-at-a-time' | 'all'

export interface Queues {
  /** @throws Failure `overloaded` where the queue is full */
  add(input: QueuedInput): EventNamed<'queue_update'>
  /** Takes what the queue's mode gives now: the first, or all. The caller tells `taken` for each. */
  take(queue: QueueName): QueuedInput[]
  /** @throws Failure `bad_request` where no such input waits: it may have been delivered */
  edit(queueId: string, content: QueuedInput['content']): EventNamed<'queue_update'>
  /** @throws Failure `bad_request` where no such input waits: it may have been delivered */
  remove(queueId: string): EventNamed<'queue_update'>
  /** Empties one queue; one event, also where it was empty. */
  clear(queue: QueueName): EventNamed<'queue_update'>
  /** How many wait in it. */
  size(queue: QueueName): number
  /** Everything that waits, steering first. */
  waiting(): readonly QueuedInput[]
  mode(queue: QueueName): QueueMode
  setMode(queue: QueueName, mode: QueueMode): void
}

/** What a rule is asked about. */
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

export interface StopRule {
  readonly name: string
  /** `budget_exceeded` for a budget, `stopped` (default) for everything else. */
  readonly reason?: 'stopped' | 'budget_exceeded'
  /** True ends the run after this turn. */
  matches(turn: FinishedTurn): boolean
  /** Why it cannot know whether it should match, which a `warning` says once a run. Default: it can. */
  cannotTell?(turn: FinishedTurn): string | undefined
}

// The ports of one request: reading content back, making room, trying again.

/** What brings back the content that these messages only name; undefined where they name none. */
export type BringBack = (messages: readonly Message[]) => ContextTransform | undefined

/** Why room is to be made. */
export interface Overflow {
  /** Whose window it is. */
  readonly model: Model
  /** What the provider said; absent: the request was counted before it was sent. */
  readonly failure?: Failure
  /** About how long the request is, in tokens: system prompt, tools and messages. */
  readonly tokens: number
}

/**
 * Shortens what the next request is made of, tells so, and completes: the request is made again then, once, with all
 * transforms. Its failure ends the message as an error. Unsubscribing gives up.
 */
export type MakeRoom = (overflow: Overflow) => Observable<EventNamed<'compaction'> | EventNamed<'warning'>>

export interface RetryOptions {
  /** Attempts in all. Default 3. */
  readonly attempts?: number
  /** Milliseconds before the second attempt; doubled for each further one. Default 1,000. */
  readonly baseDelayMs?: number
  /** The longest wait, 2³¹−1 at most; a provider that asks for more ends the attempts. Default 60,000. */
  readonly maxDelayMs?: number
  /** A number in [0, 1) that spreads the waits. Default: `Math.random`. */
  readonly jitter?: () => number
}
