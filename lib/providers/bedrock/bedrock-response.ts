// Sends a request to Bedrock's ConverseStream, with a key or signed, and emits its deltas.
//
// Guarantees: it reads no profile, no file and no role of the machine; the secret of an access key leaves no process.
import { AwsV4Signer } from 'aws4fetch'
import { defer } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'
import { jsonText } from '../../streams/values/json.ts'
import { Failure } from '../../streams/values/failure.ts'
import { sdkResponse } from '../adapter/sdk-response.ts'
import { sendForBytes } from '../http/event-stream-bytes.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import { sendableKey } from '../http/request-secrets.ts'
import { bedrockDecoder } from './bedrock-decoder.ts'
import { bedrockFrames, bedrockMediaType } from './bedrock-frames.ts'
import { defaultBedrockCompat } from './bedrock-options.ts'
import type { AwsAccess, BedrockOptions } from './bedrock-options.ts'
import { bedrockRequest } from './bedrock-request.ts'
import { regionOfModel } from './bedrock-region.ts'

export function bedrockResponse(options: BedrockOptions): Provider {
  const { provider, baseUrl } = options
  const compat = { ...defaultBedrockCompat, ...options.compat }
  const send = guardedFetch(provider, options.fetch)
  return (request) =>
    defer(() => {
      const modelId = request.model.id
      const body = jsonText(bedrockRequest(request, compat))
      const url = converseUrl(baseUrl, modelId)
      return sdkResponse({
        ...options,
        bytes: (key) =>
          sendForBytes(
            provider,
            async (signal) => {
              const headers = await headersOf({ url, body, modelId, key }, options)
              return send(url, { method: 'POST', headers, body, signal })
            },
            bedrockMediaType,
          ),
        frames: bedrockFrames,
        makeDecoder: (context) => (emit) => bedrockDecoder({ model: request.model, context }, emit),
      })
    })
}

function converseUrl(baseUrl: string, modelId: string): string {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/model/${encodeURIComponent(modelId)}/converse-stream`
  return url.href
}

interface OutgoingRequest {
  readonly url: string
  readonly body: string
  readonly modelId: string
  readonly key: string | undefined
}

/** A key is sent as it is; without one, an access key signs the request; without both, the request has neither. */
async function headersOf(
  outgoing: OutgoingRequest,
  { provider, headers: own = {}, aws = {} }: BedrockOptions,
): Promise<Headers> {
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': 'rxpi', ...own })
  const { key } = outgoing
  if (key !== undefined) headers.set('authorization', `Bearer ${sendableKey(key)}`)
  else if (aws.accessKeyId !== undefined || aws.secretAccessKey !== undefined)
    return signed(outgoing, headers, { ...aws, provider })
  return headers
}

async function signed(
  { url, body, modelId }: OutgoingRequest,
  headers: Headers,
  { provider, accessKeyId, secretAccessKey, sessionToken, region }: AwsAccess & { readonly provider: string },
): Promise<Headers> {
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw noAccess(provider, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are needed together, and one is not set')
  const signingRegion = regionOfAddress(url) ?? regionOfModel(modelId) ?? region
  if (signingRegion === undefined) throw noAccess(provider, 'a signed request needs a region: set AWS_REGION')
  const signer = new AwsV4Signer({
    method: 'POST',
    url,
    headers,
    body,
    accessKeyId: sendableKey(accessKeyId),
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken: sendableKey(sessionToken) }),
    service: 'bedrock',
    region: signingRegion,
  })
  return (await signer.sign()).headers
}

/** The address decides which region checks the signature. */
function regionOfAddress(url: string): string | undefined {
  return /(?:^|\.)bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?amazonaws\.com/.exec(new URL(url).hostname)?.[1]
}

function noAccess(provider: string, reason: string): Failure {
  return new Failure('provider_error', `${provider}: ${reason}.`, { data: { kind: 'auth' } })
}
