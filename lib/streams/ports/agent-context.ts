// What a model is about to be told: transforms change this, never the log.
import type { OperatorFunction, Observable } from 'rxjs'
import type { Message, Usage } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import type { ToolDefinition } from './tool.ts'

/** Arrays are the session's own: valid until the request is sent; copy what is to be kept. */
export interface AgentContext {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly model: Model
  /** Of the last answer; absent before the first. */
  readonly usage?: Usage
}

/**
 * Subscribed once per request with `of(context)`; its last value counts, an empty or failing one ends the turn. State
 * between requests lives in the closure of whatever made the operator.
 */
export type ContextTransform = OperatorFunction<AgentContext, AgentContext>

// A summary stands for messages that a model is not told any more; who writes it is a port.

export interface SummaryRequest {
  /** What it is to stand for, as models are told it, oldest first; never empty. */
  readonly messages: readonly Message[]
  /** Why they are told no more: the conversation goes on from an entry before them. */
  readonly reason: 'branch'
}

/** Emits the summary's text once; fails with a Failure. Unsubscribing ends whatever it asked. */
export type Summariser = (request: SummaryRequest) => Observable<string>
