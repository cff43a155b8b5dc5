// Defines the declaration of a custom provider.
// It describes the address, the request and the meaning of responses.
import type { AnswerParts, ProviderDetails } from './declaration-schemas.ts'
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../../streams/messages/message.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'

/**
 * A request with a history that every API accepts: each call has one result, which follows it, and there are no custom
 * roles.
 */
export interface DeclaredRequest extends ProviderRequest {
  readonly messages: readonly (UserMessage | AssistantMessage | ToolResultMessage)[]
}

/** The request, sent by POST. */
export interface WireRequest {
  /** Appended to the base URL, which it cannot leave. @default '' */
  readonly path?: string
  /** Sent as JSON; a string as it is. */
  readonly body: unknown
  /** Beside the declaration's own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The error that `errorMap` classifies: an error status, or an error within a response. */
export interface DeclaredError {
  readonly status?: number
  readonly code?: string
  readonly message: string
}

/** A provider as `registerProvider` takes it: data, and functions that build requests and read answers. */
export interface ProviderDeclaration<Chunk = Record<string, unknown>, Body = Chunk> extends Omit<
  Readonly<ProviderDetails>,
  'errorMap'
> {
  /** Builds the HTTP request. */
  buildRequest(request: DeclaredRequest): WireRequest
  /**
   * Returns the content of one server-sent event, whose data is parsed JSON; undefined adds nothing. `[DONE]` ends the
   * response and does not arrive here. Required for responses that stream.
   */
  parseStreamChunk?(chunk: Chunk, event?: string): AnswerParts | undefined
  /** Returns the content of a whole JSON response. Required for responses that do not stream. */
  parseResponse?(body: Body): AnswerParts | undefined
  /** By the provider's code or type, or by status; or a function. @default by status and the usual codes */
  readonly errorMap?:
    | Readonly<Record<string, ProviderFailureKind>>
    | ((error: DeclaredError) => ProviderFailureKind | undefined)
}

/** A declaration of any chunk type; its parsers get the received value. */
export interface AnyDeclaration extends Omit<ProviderDeclaration, 'parseStreamChunk' | 'parseResponse'> {
  // method syntax on purpose: parameters are bivariant, so that a ProviderDeclaration<Chunk> fits
  parseStreamChunk?(chunk: never, event?: string): AnswerParts | undefined
  parseResponse?(body: never): AnswerParts | undefined
}
