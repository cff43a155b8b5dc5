// Tests which address, region, key and compat a model at Bedrock has.
import { lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../../lib/providers/http/guarded-fetch.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { ResolveModelOptions, ResolvedModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { resultOf } from '../../support/result-of.ts'
import { aUser } from '../adapter/messages.ts'
import { ending, mediaType, messageStart } from '../bedrock/bedrock-events.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'

const none: ModelsFile = { providers: {} }
const opus = 'bedrock/us.anthropic.claude-opus-4-6-v1'
const bearer = { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key', AWS_REGION: 'eu-west-3' }
const access = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-3' }

function resolved(options: Partial<ResolveModelOptions>): Promise<ResolvedModel> {
  return resultOf(resolveModel({ env: {}, models: none, name: opus, ...options }))
}

interface SentRequest {
  readonly url: URL
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends a request to the model and returns it as it is sent. */
async function sentBy(
  options: Partial<ResolveModelOptions>,
  thinkingLevel: 'off' | 'high' = 'off',
): Promise<SentRequest> {
  const sent: SentRequest[] = []
  const fetch: Fetch = (input, init) => {
    const body = JSON.parse(init?.body as string) as SentRequest['body']
    sent.push({ url: new URL(input as string), headers: new Headers(init?.headers), body })
    const bytes = Buffer.concat([messageStart, ending()])
    return Promise.resolve(new Response(bytes, { headers: { 'content-type': mediaType } }))
  }
  const { model, provider } = await resolved({ ...options, fetch })
  const answer$ = provider(aRequest({ model, messages: [aUser('Hello')], thinkingLevel }))
  expect(foldDeltas(await lastValueFrom(answer$.pipe(toArray()), { defaultValue: [] })).stopReason).toBe('stop')
  const [request] = sent
  if (request === undefined) throw new Error('nothing was sent')
  return request
}

describe('the address', () => {
  const arn = 'arn:aws:bedrock:ap-southeast-2:123456789012:inference-profile/au.anthropic.claude-sonnet-4-6'
  it.each([
    [
      'AWS_REGION',
      opus,
      { AWS_REGION: 'eu-west-3', AWS_DEFAULT_REGION: 'us-east-1' },
      'bedrock-runtime.eu-west-3.amazonaws.com',
    ],
    ['AWS_DEFAULT_REGION', opus, { AWS_DEFAULT_REGION: 'us-east-1' }, 'bedrock-runtime.us-east-1.amazonaws.com'],
    [
      'the ARN of the model',
      `bedrock/${arn}`,
      { AWS_REGION: 'eu-west-3' },
      'bedrock-runtime.ap-southeast-2.amazonaws.com',
    ],
    ['the ARN alone', `bedrock/${arn}`, {}, 'bedrock-runtime.ap-southeast-2.amazonaws.com'],
    ['the variable of AWS', opus, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'https://gateway.example' }, 'gateway.example'],
  ])('is that of %s', async (_, name, env, host) => {
    const { url } = await sentBy({ name, env: { AWS_BEARER_TOKEN_BEDROCK: 'k', ...env } })
    expect([url.protocol, url.hostname]).toEqual(['https:', host])
    expect(decodeURIComponent(url.pathname)).toBe(`/model/${name.replace('bedrock/', '')}/converse-stream`)
  })

  it('is missing without a region, and the error names the variable', async () => {
    await expect(resolved({ env: { AWS_BEARER_TOKEN_BEDROCK: 'k' } })).rejects.toMatchObject({
      code: 'bad_config',
      message: 'models.json: providers.bedrock has no baseUrl; set its address, there or in AWS_REGION.',
    })
  })

  it('takes no region that is no part of an address', async () => {
    await expect(resolved({ env: { ...bearer, AWS_REGION: 'evil.example/' } })).rejects.toThrow('AWS_REGION')
  })
})

describe('the authentication', () => {
  it('is the key of Bedrock, before an access key', async () => {
    const { headers } = await sentBy({ env: { ...access, ...bearer } })
    expect(headers.get('authorization')).toBe('Bearer bedrock-key')
  })

  it('is a signature of the access key for the region of the address', async () => {
    const { headers } = await sentBy({ env: { ...access, AWS_SESSION_TOKEN: 'token' } })
    expect(headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-3\/bedrock\/aws4_request, /,
    )
    expect(headers.get('x-amz-security-token')).toBe('token')
  })

  it.each([
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
    ['https://vpce-1.bedrock-runtime.eu-central-1.vpce.amazonaws.com', 'eu-central-1'],
    ['https://gateway.example', 'eu-west-3'],
  ])('at %s is signed for %s', async (baseUrl, region) => {
    const { headers } = await sentBy({ env: access, models: { providers: { bedrock: { baseUrl } } } })
    expect(headers.get('authorization')).toContain(`/${region}/bedrock/`)
  })

  it.each([
    ['nothing', {}],
    ['a profile', { AWS_PROFILE: 'work' }],
    ['a container', { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/role' }],
  ])('is refused with a word about profiles and roles, with %s alone', async (_, env) => {
    const failure = await resolved({ env: { AWS_REGION: 'eu-west-3', ...env } }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'auth' } })
    for (const says of [
      'set AWS_BEARER_TOKEN_BEDROCK',
      'AWS_ACCESS_KEY_ID',
      'reads no AWS profiles',
      'export-credentials',
    ])
      expect((failure as Error).message).toContain(says)
  })
})

describe('a model', () => {
  it('has its facts from the catalogue, also by the ARN of a profile of the system', async () => {
    const facts = {
      api: 'bedrock-converse-stream',
      reasoning: true,
      contextWindow: 1_000_000,
      inputs: ['text', 'image'],
    }
    expect((await resolved({ env: bearer })).model).toMatchObject(facts)
    const arn = 'bedrock/arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1'
    expect((await resolved({ name: arn, env: bearer })).model).toMatchObject({ ...facts, prices: { input: 5.5 } })
  })

  const adaptive = { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } }
  it.each([
    ['us.anthropic.claude-opus-4-6-v1', adaptive],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', { thinking: { type: 'enabled', budget_tokens: 16_384 } }],
    ['global.anthropic.claude-sonnet-5', adaptive],
    ['openai.gpt-oss-120b-1:0', { reasoning_effort: 'high' }],
    ['us.openai.gpt-6-sol', { reasoning: { effort: 'high' } }],
    ['deepseek.v3.2', undefined],
  ])('%s thinks in its own form', async (id, fields) => {
    const { body } = await sentBy({ name: `bedrock/${id}`, env: bearer }, 'high')
    if (fields === undefined) expect(body).not.toHaveProperty('additionalModelRequestFields')
    else expect(body['additionalModelRequestFields']).toMatchObject(fields)
  })

  it('of Anthropic has an output limit and cache points', async () => {
    const { body } = await sentBy({ env: bearer })
    expect(body).toMatchObject({
      inferenceConfig: { maxTokens: 128_000 },
      messages: [{ content: [{ text: 'Hello' }, { cachePoint: { type: 'default' } }] }],
    })
  })

  it('of which nothing is known takes its facts from models.json', async () => {
    const id = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc'
    const compat = { 'bedrock-converse-stream': { thinking: 'adaptive', cachePoints: true } } as const
    const models = { providers: { bedrock: { models: [{ id, reasoning: true, compat }] } } }
    const { url, body } = await sentBy({ name: `bedrock/${id}`, env: bearer, models }, 'high')
    expect(url.hostname).toBe('bedrock-runtime.eu-west-1.amazonaws.com')
    expect(body).toMatchObject({
      additionalModelRequestFields: adaptive,
      messages: [{ content: [{}, { cachePoint: {} }] }],
    })
  })
})
