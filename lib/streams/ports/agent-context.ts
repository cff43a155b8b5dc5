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
  /** Why they are summarised: the conversation continues from an entry before them. */
  readonly reason: 'branch'
}

/** Emits the summary's text once; fails with a Failure. Unsubscribing cancels the request. */
export type Summariser = (request: SummaryRequest) => Observable<string>
