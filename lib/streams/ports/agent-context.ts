// What a model is about to be told: transforms change this, never the log.
import type { OperatorFunction } from 'rxjs'
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
