// Tests the address and the authentication of requests to Bedrock; a mock checks each signature on its own.
import { createHash, createHmac } from 'node:crypto'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawRequest } from '../../support/raw-sse-server.ts'
import { ending, messageStart } from './bedrock-events.ts'
import { deltasOf, failed, headers, model } from './bedrock-scene.ts'

const access = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const answer = { headers, body: [messageStart, ending()] }

/** The signature by the rules of AWS (Signature Version 4) for a request as it arrived. */
function expectedSignature({ method, path, headers: sent, body }: RawRequest, secret: string): string {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+), /.exec(sent.authorization ?? '') ?? []
  const [date = '', region = '', service = ''] = scope.split('/')
  const canonical = [
    method,
    path.split('/').map(encodeURIComponent).join('/'),
    '',
    ...names.split(';').map((name) => `${name}:${String(sent[name])}`),
    '',
    names,
    createHash('sha256').update(body).digest('hex'),
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', sent['x-amz-date'], scope, createHash('sha256').update(canonical).digest('hex')]
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, toSign.join('\n')).toString('hex')
}

function signatureIn({ headers: { authorization = '' } }: RawRequest): string {
  return authorization.split('Signature=')[1] ?? ''
}

function only(requests: readonly RawRequest[]): RawRequest {
  const [request] = requests
  if (request === undefined || requests.length !== 1) throw new Error(`${requests.length} requests`)
  return request
}

describe('a request', () => {
  it.each([
    ['anthropic.claude-opus-4-1-20250805-v1:0', 'anthropic.claude-opus-4-1-20250805-v1%3A0'],
    [
      'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc',
      'arn%3Aaws%3Abedrock%3Aeu-west-1%3A123456789012%3Aapplication-inference-profile%2Fabc',
    ],
  ])('for %s has the model in its path, also behind a gateway', async (id, encoded) => {
    await using server = await rawSseServer(answer)
    await deltasOf({ baseUrl: `${server.url}/gateway/` }, { model: { ...model, id } })
    expect(only(server.requests).path).toBe(`/gateway/model/${encoded}/converse-stream`)
  })

  it('has a key as it is, and is not signed then', async () => {
    await using server = await rawSseServer(answer)
    await deltasOf({ baseUrl: server.url, apiKey$: of('bedrock-key'), aws: access, headers: { 'x-own': '1' } })
    expect(only(server.requests).headers).toMatchObject({ authorization: 'Bearer bedrock-key', 'x-own': '1' })
    expect(only(server.requests).headers).not.toHaveProperty('x-amz-date')
  })

  it('has neither key nor signature without an access key', async () => {
    await using server = await rawSseServer(answer)
    await deltasOf({ baseUrl: server.url, aws: { region: 'eu-west-1' } })
    expect(only(server.requests).headers).not.toHaveProperty('authorization')
  })
})

describe('a signed request', () => {
  it.each([
    ['the environment', model.id, undefined, 'eu-central-1'],
    [
      'the ARN of the model',
      'arn:aws:bedrock:ap-southeast-2:1:inference-profile/au.anthropic.claude-sonnet-5',
      undefined,
      'ap-southeast-2',
    ],
  ])('has a valid signature for the region of %s', async (_, id, __, region) => {
    await using server = await rawSseServer(answer)
    const options = { baseUrl: server.url, aws: { ...access, region: 'eu-central-1' }, headers: { 'x-own': 'a  b' } }
    await deltasOf(options, { model: { ...model, id } })
    const request = only(server.requests)
    expect(request.headers.authorization).toContain(
      `Credential=AKIDEXAMPLE/${String(request.headers['x-amz-date']).slice(0, 8)}/${region}/bedrock/aws4_request`,
    )
    expect(signatureIn({ ...request, headers: { ...request.headers, 'x-own': 'a b' } })).toBe(
      expectedSignature({ ...request, headers: { ...request.headers, 'x-own': 'a b' } }, access.secretAccessKey),
    )
  })

  it('carries the token of a session, signed too', async () => {
    await using server = await rawSseServer(answer)
    await deltasOf({ baseUrl: server.url, aws: { ...access, sessionToken: 'session-token', region: 'us-east-1' } })
    const request = only(server.requests)
    expect(request.headers['x-amz-security-token']).toBe('session-token')
    expect(request.headers.authorization).toContain('x-amz-security-token')
    expect(signatureIn(request)).toBe(expectedSignature(request, access.secretAccessKey))
  })

  it.each([
    ['a key without its secret', { accessKeyId: 'A', region: 'us-east-1' }, 'AWS_SECRET_ACCESS_KEY'],
    ['a secret without its key', { secretAccessKey: 'S', region: 'us-east-1' }, 'AWS_ACCESS_KEY_ID'],
    ['no region', access, 'AWS_REGION'],
  ])('is refused for %s, before it is sent', async (_, aws, says) => {
    const failure = await failed(answer, { aws })
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'auth' } })
    expect(failure.message).toContain(says)
  })

  it('hides the token of its session and its signature in the message of a failure', async () => {
    const aws = { ...access, sessionToken: 'session-token', region: 'us-east-1' }
    await using server = await rawSseServer(({ headers: sent }) => ({
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: [
        JSON.stringify({
          message: `It should be ${String(sent['x-amz-security-token'])} ${String(sent.authorization)}`,
        }),
      ],
    }))
    const message = await deltasOf({ baseUrl: server.url, aws }).then(String, String)
    expect(message).toContain('maker answered 403: It should be [key]')
    for (const secret of ['session-token', signatureIn(only(server.requests))]) expect(message).not.toContain(secret)
  })
})
