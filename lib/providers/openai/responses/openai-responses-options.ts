// What an endpoint that speaks the Responses API is told by.
import type { OpenAiResponsesCompat } from './openai-responses-compat.ts'
import type { EndpointOptions } from '../../adapter/sdk-response.ts'

/** `baseUrl` goes up to and without `/responses`; for Azure it may be the resource's address alone. */
export interface OpenAiResponsesOptions extends EndpointOptions {
  readonly organization?: string
  readonly project?: string
  /** For Azure: a date, or `v1` for the API without dates. @default 'v1' */
  readonly apiVersion?: string
  /** @default defaultResponsesCompat */
  readonly compat?: Partial<OpenAiResponsesCompat>
}
