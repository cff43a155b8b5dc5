// Ports that shape a request's context: transforms and the summariser.
// Transforms change the request, never the log.
import type { OperatorFunction, Observable } from 'rxjs'
import type { Message, Usage } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import type { ToolDefinition } from './tool.ts'

/** The arrays belong to the session and are valid until the request is sent; copy what you want to keep. */
export interface AgentContext {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly model: Model
  /** Usage of the last answer; absent before the first. */
  readonly usage?: Usage
  /** The session of the request. Absent: it belongs to none. */
  readonly sessionId?: string
  /** The run of the request. Absent: the loop runs without a session. */
  readonly runId?: string
  /** Which turn of the run makes the request, from 0. A request that is repeated has the same. */
  readonly turnIndex?: number
}

/**
 * Subscribed once per request with `of(context)`. Its last value is used; if it is empty or fails, the turn ends. State
 * between requests lives in the closure of the operator's factory.
 */
export type ContextTransform = OperatorFunction<AgentContext, AgentContext>

// A summary replaces messages that the model no longer receives.

export interface SummaryRequest {
  /** The messages to summarise, as models receive them, oldest first; never empty. */
  readonly messages: readonly Message[]
  /**
   * Why they are summarised. `branch`: the conversation continues from an entry before them. `compaction`: it continues
   * after them, and the summary takes their place.
   */
  readonly reason: 'branch' | 'compaction'
  /** Of a compaction: the summary of what came before, which the new one continues. */
  readonly previous?: string
  /** Of a compaction: `turn` if the messages are the start of a turn whose end stays. Default `history`. */
  readonly part?: 'history' | 'turn'
  /** Of a compaction: the words of a person about what matters. */
  readonly focus?: string
  /** Of a compaction: the most tokens that the summary may have. */
  readonly mostTokens?: number
}

export interface Summary {
  readonly text: string
  /** Counts for a budget. Default: unknown, and not counted. */
  readonly usage?: Usage
  /** The model that wrote it, `provider/id`. */
  readonly model?: string
}

/** How far a summary is. */
export interface SummaryProgress {
  /** UTF-16 units of the summary so far. */
  readonly characters: number
  /** Usage of its requests so far: it counts if the summary fails or is cancelled. Default: as before. */
  readonly usage?: Usage
}

/**
 * Emits the summary once, before it any number of times how far it is; fails with a Failure. Unsubscribing cancels the
 * request.
 */
export type Summariser = (request: SummaryRequest) => Observable<string | Summary | SummaryProgress>

/** Whether a summariser's value is its summary, not its progress. */
export function isSummary(value: string | Summary | SummaryProgress): value is string | Summary {
  return typeof value === 'string' || 'text' in value
}
