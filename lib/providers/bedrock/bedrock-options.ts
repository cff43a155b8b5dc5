// Options of an endpoint with Bedrock's API ConverseStream, and their defaults.
import type { EndpointOptions } from '../adapter/sdk-response.ts'
import type { BedrockCompat } from '../../streams/models/api-compat.ts'

/** `baseUrl` goes up to and without `/model/…`. */
export interface BedrockOptions extends EndpointOptions {
  /** Signs the requests that have no key. @default they are not signed */
  readonly aws?: AwsAccess
  /** @default defaultBedrockCompat */
  readonly compat?: Partial<BedrockCompat>
}

/** An access key of AWS; a request needs its first two fields. */
export interface AwsAccess {
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
  /** Counts if neither the address nor the model names a region. */
  readonly region?: string
}

export type { BedrockCompat }

/** The compat of models of which nothing is known. */
export const defaultBedrockCompat: BedrockCompat = {
  thinking: 'none',
  withoutThinking: 'omit',
  budgets: { minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 16_384 },
  effort: { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  summarizedThinking: true,
  interleavedThinking: true,
  boundThinking: false,
  replayThinking: false,
  temperature: true,
  cachePoints: false,
  limitOutput: false,
}
