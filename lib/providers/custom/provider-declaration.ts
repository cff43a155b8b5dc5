// What a user says of an API of their own shape: where it answers, what it is asked, and what its answers mean.
import type { AnswerParts } from './declaration-schemas.ts'
import type { ProviderFailureKind } from '../../streams/values/failure.ts'
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../../streams/messages/message.ts'
import type { ProviderDetails } from './declaration-schemas.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'

/** A request whose history every API takes: results stand behind their calls, each call has one, custom roles are gone. */
export interface DeclaredRequest extends ProviderRequest {
  readonly messages: readonly (UserMessage | AssistantMessage | ToolResultMessage)[]
}

/** What is sent, by POST. */
export interface WireRequest {
  /** Behind the base URL, which it cannot leave. @default '' */
  readonly path?: string
  /** Sent as JSON; a string as it is. */
  readonly body: unknown
  /** Beside the declaration's own. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What `errorMap` is asked about: an error status, or an error in the middle of an answer. */
export interface DeclaredError {
  readonly status?: number
  readonly code?: string
  readonly message: string
}

export interface ProviderDeclaration<Chunk = Record<string, unknown>, Body = Chunk> extends Omit<
  Readonly<ProviderDetails>,
  'errorMap'
> {
  /** The request on the wire. */
  buildRequest(request: DeclaredRequest): WireRequest
  /**
   * What the data of one server-sent event means, parsed as JSON; undefined = nothing. `[DONE]` is the end and not given
   * here. Needed for answers that stream.
   */
  parseStreamChunk?(chunk: Chunk, event?: string): AnswerParts | undefined
  /** What a whole answer in JSON means. Needed for answers that do not stream. */
  parseResponse?(body: Body): AnswerParts | undefined
  /** By the provider's code or type, or by status; or a function. @default by status and the usual codes */
  readonly errorMap?:
    Readonly<Record<string, ProviderFailureKind>> | ((error: DeclaredError) => ProviderFailureKind | undefined)
}

/** Any declaration, whatever it takes its answers for: its parsers are called with what came. */
export interface AnyDeclaration extends Omit<ProviderDeclaration, 'parseStreamChunk' | 'parseResponse'> {
  // method syntax on purpose: parameters are bivariant, so that a ProviderDeclaration<Chunk> fits
  parseStreamChunk?(chunk: never, event?: string): AnswerParts | undefined
  parseResponse?(body: never): AnswerParts | undefined
}
