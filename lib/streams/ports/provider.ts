// A Provider is cold: each subscription is one request, and unsubscribing ends it at the socket.
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../messages/delta.ts'
import type { Message } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import type { OutputSchema } from '../messages/output-schema.ts'
import type { ThinkingLevel } from '../models/thinking-level.ts'
import type { ToolDefinition } from './tool.ts'

/** `auto`: as the model likes; `none`: no call; `required`: some call; or a call of the tool with that name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** One model request, provider-independent. Arrays are the session's own: valid until the answer has ended, never to be changed. */
export interface ProviderRequest {
  readonly model: Model
  readonly system: string
  /** Each is a value: of one that is changed behind a request, the model may go on being told what it was. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolDefinition[]
  readonly thinkingLevel: ThinkingLevel
  readonly temperature?: number
  /** Output tokens; default: what the model allows. */
  readonly maxTokens?: number
  /** Whether the model must call a tool, and which one; says nothing where there are no tools. Default `auto`. */
  readonly toolChoice?: ToolChoice
  /** The answer shall be a JSON document that fits; a wire that can hold the model to it does. The system prompt says it too. */
  readonly outputSchema?: OutputSchema
  /** Groups a session's requests for the provider's prompt cache. */
  readonly sessionId?: string
}

/**
 * `(request) => Observable<AssistantDelta>`. Completes after `done`; fails by an error notification that carries
 * `Failure{code:'provider_error'}`; completing without `done` counts as `early_end`.
 */
export type Provider = (request: ProviderRequest) => Observable<AssistantDelta>

/** A model together with what answers for it. */
export interface ProviderModel {
  readonly model: Model
  readonly provider: Provider
  /**
   * Asked in order where this one cannot answer: when its attempts are over and nothing was visible, for a failure that
   * another model may not have (not for a bad request, an overflow or a refusal). Each gets attempts of its own; a
   * fallback's own fallbacks are not looked at. Default: none.
   */
  readonly fallbacks?: readonly ProviderModel[]
}
