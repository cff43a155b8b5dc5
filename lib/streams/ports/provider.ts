// The Provider port: one model request as an Observable of deltas.
// A Provider is cold: each subscription is one request, and unsubscribing closes its socket.
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../messages/delta.ts'
import type { Message } from '../messages/message.ts'
import type { Model, ThinkingLevel } from '../models/model.ts'
import type { OutputSchema } from '../messages/output-schema.ts'
import type { ToolDefinition } from './tool.ts'

/** `auto`: the model decides; `none`: no call; `required`: at least one call; or a call of the tool with that name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/**
 * One model request, independent of the provider. Its arrays belong to the session: valid until the response ends,
 * never to be changed.
 */
export interface ProviderRequest {
  readonly model: Model
  readonly system: string
  /** Messages are immutable: if one is changed after a request, the model may still receive the old content. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly thinkingLevel: ThinkingLevel
  readonly temperature?: number
  /** Most output tokens; default: the model's maximum. */
  readonly maxTokens?: number
  /** Whether the model must call a tool, and which one; ignored without tools. Default `auto`. */
  readonly toolChoice?: ToolChoice
  /**
   * The answer must be a JSON document of this schema; an API that can enforce it does. The system prompt says it too.
   */
  readonly outputSchema?: OutputSchema
  /** Groups a session's requests for the provider's prompt cache. */
  readonly sessionId?: string
}

/**
 * `(request) => Observable<AssistantDelta>`. Completes after `done`; fails with `Failure{code:'provider_error'}`;
 * completing without `done` counts as `early_end`.
 */
export type Provider = (request: ProviderRequest) => Observable<AssistantDelta>

/** Wraps a provider: `pipe(rateLimit(…), logRequests(…))(provider)`, with `pipe` of RxJS. */
export type ProviderOperator = (provider: Provider) => Provider

/** A model with the provider that serves it. */
export interface ProviderModel {
  readonly model: Model
  readonly provider: Provider
  /**
   * Used in order if this one fails: after its attempts, while nothing was visible, for a failure that another model
   * may not have (not a bad request, an overflow or a refusal). Each gets attempts of its own; a fallback's own
   * fallbacks are ignored. Default: none.
   */
  readonly fallbacks?: readonly ProviderModel[]
  /** The thinking level that comes with the model, as the setting of a role has it. Default: that of the session. */
  readonly thinkingLevel?: ThinkingLevel
  /** The role that the model was chosen for. Default: none, it was named. */
  readonly role?: string
}
