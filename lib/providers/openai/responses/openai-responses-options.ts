// Options of an endpoint with the API `openai-responses`, and their defaults.
import type { EndpointOptions } from '../../adapter/sdk-response.ts'
import type { OpenAiResponsesCompat } from '../../../streams/models/api-compat.ts'

/** `baseUrl` goes up to and without `/responses`; for Azure it may be the resource's address alone. */
export interface OpenAiResponsesOptions extends EndpointOptions {
  readonly organization?: string
  readonly project?: string
  /** For Azure: a date, or `v1` for the API without dates. @default 'v1' */
  readonly apiVersion?: string
  /** @default defaultResponsesCompat */
  readonly compat?: Partial<OpenAiResponsesCompat>
}

export type { OpenAiResponsesCompat }

/** The compat of OpenAI's own endpoint. */
export const defaultResponsesCompat: OpenAiResponsesCompat = {
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  summary: true,
  encryptedReasoning: true,
  strictTools: false,
  promptCacheKey: true,
  azure: false,
  codex: false,
  systemPrompt: 'instructions',
  messageParts: false,
}
