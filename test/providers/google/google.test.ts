// Tests the requests of Google's adapter: keys, Vertex and refusals.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { of } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer } from '../../support/raw-sse-server.ts'
import { chunk, frame, lastChunk } from './google-chunks.ts'
import { deltasOf, failed } from './google-scene.ts'

describe('a request', () => {
  const whole = [lastChunk()]
  const path = '/models/m:streamGenerateContent?alt=sse'

  it.each([
    ['', '/v1beta'],
    ['/', '/v1beta'],
    ['/v1beta', '/v1beta'],
    ['/proxy/v1', '/proxy/v1'],
  ])('goes to the path of a base URL that ends in "%s"', async (end, base) => {
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: `${server.url}${end}` }, { system: 'Be brief.', temperature: 0.5 })
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: `${base}${path}` })
    expect(server.requests[0]?.json()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0.5 },
    })
  })

  it('uses the key of its options, and nothing from the environment of the process', async () => {
    vi.stubEnv('GEMINI_API_KEY', 'of-the-server')
    vi.stubEnv('GOOGLE_API_KEY', 'of-the-server')
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true')
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'of-the-server')
    vi.stubEnv('GOOGLE_GEMINI_BASE_URL', 'http://of-the-server.invalid')
    vi.stubEnv('GOOGLE_GENAI_API_VERSION', 'v9')
    const output = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'warn'), vi.spyOn(console, 'log')]
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), headers: { 'X-Mine': '1' } })
    await deltasOf({ baseUrl: server.url })
    const [first, second] = server.requests
    expect(first).toMatchObject({ path: `/v1beta${path}`, headers: { 'x-goog-api-key': 'sk-test', 'x-mine': '1' } })
    expect(second?.headers).not.toHaveProperty('x-goog-api-key')
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-server')
    for (const spy of output) expect(spy).not.toHaveBeenCalled()
  })

  it('to Vertex with a key has a path with the model only', async () => {
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'of-the-server')
    const output = [vi.spyOn(console, 'debug'), vi.spyOn(console, 'log')]
    await using server = await rawSseServer({ body: whole })
    await deltasOf({ baseUrl: server.url, apiKey$: of('sk-test'), vertex: {} })
    expect(server.requests[0]).toMatchObject({
      path: `/v1beta1/publishers/google${path}`,
      headers: { 'x-goog-api-key': 'sk-test' },
    })
    for (const spy of output) expect(spy).not.toHaveBeenCalled()
  })

  it('to Vertex without a key has a token from the key file, and a path with project and location', async () => {
    const token = {
      access_token: 'tok-1',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 3600,
    }
    await using server = await rawSseServer(({ path: sentRequests }) =>
      sentRequests === '/token'
        ? { headers: { 'content-type': 'application/json' }, body: [JSON.stringify(token)] }
        : { body: whole },
    )
    const folder = mkdtempSync(join(tmpdir(), 'rxpi-vertex-'))
    const [keyFile, subject] = [join(folder, 'key.json'), join(folder, 'subject')]
    const key = {
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${server.url}/token`,
      credential_source: { file: subject },
    }
    writeFileSync(subject, 'subject')
    writeFileSync(keyFile, JSON.stringify(key))
    try {
      await deltasOf({ baseUrl: server.url, vertex: { project: 'p', location: 'europe-west1', keyFile } })
    } finally {
      rmSync(folder, { recursive: true })
    }
    const sentRequests = server.requests.find(({ path: to }) => to !== '/token')
    expect(sentRequests).toMatchObject({
      path: `/v1beta1/projects/p/locations/europe-west1/publishers/google${path}`,
      headers: { authorization: 'Bearer tok-1' },
    })
    expect(sentRequests?.headers).not.toHaveProperty('x-goog-api-key')
  })

  it('gets the token of a service account over the transport of the provider [S30c]', async () => {
    await using server = await rawSseServer({ body: whole })
    const folder = mkdtempSync(join(tmpdir(), 'rxpi-vertex-'))
    const keyFile = join(folder, 'key.json')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(keyFile, JSON.stringify({ type: 'service_account', client_email: 'me@p', private_key: pem }))
    const forms: unknown[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      const { host } = new URL(input instanceof Request ? input.url : input)
      if (host !== 'oauth2.googleapis.com') return httpFetch(input, init)
      forms.push(init?.body)
      return Promise.resolve(Response.json({ access_token: 'tok-2', token_type: 'Bearer', expires_in: 3600 }))
    }
    try {
      await deltasOf({ baseUrl: server.url, vertex: { project: 'p', keyFile }, fetch })
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(forms).toEqual([expect.stringContaining('grant_type=')])
    expect(server.requests).toMatchObject([{ headers: { authorization: 'Bearer tok-2' } }])
  })

  it('without credentials fails with kind auth', async () => {
    const failure = await failed({}, { vertex: { project: 'p', keyFile: '/nowhere/key.json' } })
    expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'auth' } })
    expect(failure.message).toContain('maker: there are no credentials for Vertex')
  })

  it('without messages is refused before it is sent', async () => {
    await using server = await rawSseServer({})
    await expect(deltasOf({ baseUrl: server.url }, { messages: [] })).rejects.toMatchObject({
      message: 'maker: contents are required',
      data: { kind: 'bad_request' },
    })
    expect(server.requests).toHaveLength(0)
  })

  it.each<[string, RawAnswer]>([
    ['a status that SDKs retry', { status: 503, body: ['{"error":{"message":"later"}}'] }],
    ['a connection that is cut before the answer', { ending: 'reset', body: [] }],
  ])('is sent once: %s', async (_, answer) => {
    await using server = await rawSseServer(answer)
    await expect(deltasOf({ baseUrl: server.url })).rejects.toBeInstanceOf(Failure)
    expect(server.requests).toHaveLength(1)
  })

  it('hides the key in every error text', async () => {
    const error = { code: 400, message: 'bad key sk-secret-1', status: 'INVALID_ARGUMENT' }
    const key = { apiKey$: of('sk-secret-1') }
    const failures = [
      await failed({ body: [chunk([{ text: 'a' }]), frame({ error })] }, key),
      await failed({ status: 400, body: [JSON.stringify({ error })] }, key),
      await failed({}, { apiKey$: of('sk-secret-1\n') }),
    ]
    for (const { message } of failures) expect(message).not.toContain('sk-secret-1')
  })
})
