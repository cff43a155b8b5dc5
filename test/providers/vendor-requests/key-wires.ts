// Lists the wires whose requests with a key are compared with those of pi, for the conversations of accounts.
import type { RecordedRequest } from '../accounts/requests/conversations.ts'

/** A model by its names at both. */
export interface KeyWire {
  readonly name: string
  readonly api: string
  /** `provider/model` of rxpi. */
  readonly own: string
  /** As pi names them. */
  readonly provider: string
  readonly model: string
  readonly piApi: string
  readonly env: Readonly<Record<string, string>>
  readonly origin: string
}

export const key = 'a-key-of-a-vendor'

const bedrock = {
  ...{ api: 'bedrock-converse-stream', piApi: 'bedrock-converse-stream', provider: 'amazon-bedrock' },
  origin: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  env: { AWS_BEARER_TOKEN_BEDROCK: key, AWS_REGION: 'us-east-1' },
}
const opus = 'us.anthropic.claude-opus-4-6-v1'
const sonnet = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

export const keyWires: readonly KeyWire[] = [
  {
    ...{ name: 'mistral', api: 'mistral-conversations', piApi: 'mistral-conversations', provider: 'mistral' },
    ...{ own: 'mistral/mistral-small-latest', model: 'mistral-small-latest', origin: 'https://api.mistral.ai' },
    env: { MISTRAL_API_KEY: key },
  },
  { ...bedrock, name: 'bedrock adaptive', own: `bedrock/${opus}`, model: opus },
  { ...bedrock, name: 'bedrock budget', own: `bedrock/${sonnet}`, model: sonnet },
]

const compared = new Set(['authorization', 'content-type', 'x-affinity'])

/** Without headers of SDKs and machines, and without the key. */
export function recordedRequest(url: string, headers: Headers, body: RecordedRequest['body']): RecordedRequest {
  const entries = [...headers].filter(([name]) => compared.has(name))
  return { url, headers: Object.fromEntries(entries.map(([name, value]) => [name, value.replace(key, '[key]')])), body }
}
