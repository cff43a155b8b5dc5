// Tests `verifyKey`, which verifies a key with one request.
import { EMPTY, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { verifyKey } from '../../../lib/providers/resolve/verify-key.ts'
import type { VerifyKeyOptions } from '../../../lib/providers/resolve/verify-key.ts'
import type { StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawAnswer, RawRequest } from '../../support/raw-sse-server.ts'
import { resultOf } from '../../support/result-of.ts'

const right = 'sk-right-0123456789'

function verified(baseUrl: string, own: Partial<VerifyKeyOptions> = {}, api = 'openai-completions') {
  const models = { providers: { mine: { api, baseUrl, apiKey: right } } }
  return resultOf(verifyKey({ provider: 'mine', env: {}, cwd: '/', models, memory: createKeyMemory(), ...own }))
}

function answering(status: number, body = '{}'): RawAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: [body] }
}

/** A server that accepts one key, in any of its headers. */
function strict({ headers }: RawRequest): RawAnswer {
  const keys = [headers.authorization, headers['x-api-key'], headers['x-goog-api-key'], headers['api-key']]
  return keys.some((key) => key === right || key === `Bearer ${right}`) ? answering(200) : answering(401)
}

describe('verifyKey', () => {
  it.each([
    ['openai-completions', '/v1', '/v1/models', 'authorization'],
    ['openai-responses', '/v1/', '/v1/models', 'authorization'],
    ['anthropic-messages', '', '/v1/models', 'x-api-key'],
    ['google-generative-ai', '', '/v1beta/models', 'x-goog-api-key'],
  ])('sends two requests to an endpoint of %s: one with the key, one without', async (api, path, page, header) => {
    await using server = await rawSseServer(strict)
    expect(await verified(`${server.url}${path}`, {}, api)).toMatchObject({ outcome: 'valid' })
    expect(server.requests.map((request) => [request.method, request.path, header in request.headers])).toEqual([
      ['GET', page, true],
      ['GET', page, false],
    ])
  })

  it('verifies a key that is not stored yet', async () => {
    await using server = await rawSseServer(strict)
    const { outcome, message } = await verified(`${server.url}/v1`, { key: 'sk-wrong-0123456789' })
    expect([outcome, message]).toEqual(['refused', expect.stringContaining('401')])
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, RawAnswer, string]>([
    ['accepts every key', answering(200), 'unknown'],
    ['has no models page', answering(404), 'unknown'],
    ['is overloaded', answering(503), 'unreachable'],
    ['answers with a rate limit', answering(429), 'valid'],
    ['answers that the quota is used up', answering(429, '{"error":{"code":"insufficient_quota"}}'), 'valid'],
    [
      'refuses the key in the form of Google',
      answering(400, '{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}'),
      'refused',
    ],
    ['repeats the key in its answer', answering(403, `{"error":{"message":"who is ${right}?"}}`), 'refused'],
  ])('returns the outcome for an endpoint that %s: %#', async (_, answer, outcome) => {
    await using server = await rawSseServer(answer)
    const verdict = await verified(`${server.url}/v1`)
    expect(verdict.outcome).toBe(outcome)
    expect(JSON.stringify(verdict)).not.toContain(right)
  })

  it('returns `unreachable` if no server listens', async () => {
    const gone = await rawSseServer(answering(200))
    await gone[Symbol.asyncDispose]()
    const verdict = await verified(`${gone.url}/v1`)
    expect(verdict).toMatchObject({
      outcome: 'unreachable',
      message: expect.stringContaining('nothing answers there') as string,
    })
  })

  it.each(['', 'with a space', 'line\nbreak'])('refuses the key %j without a request', async (key) => {
    await using server = await rawSseServer(answering(200))
    expect(await verified(`${server.url}/v1`, { key })).toMatchObject({ outcome: 'refused' })
    expect(server.requests).toHaveLength(0)
  })

  it.each([
    ['github-copilot', { 'editor-version': 'vscode/1.107.0' }],
    ['openai-codex', { 'chatgpt-account-id': 'of-ada' }],
    ['anthropic', { 'anthropic-beta': 'oauth-2025-04-20', 'anthropic-version': '2023-06-01' }],
  ])('verifies the token of an account of %s at its own address, as its requests do', async (provider, sent) => {
    await using server = await rawSseServer(strict)
    const account: StoredAccount = {
      ...{ id: 'abcdefgh', provider, origin: server.url, baseUrl: `${server.url}/own`, accountId: 'of-ada' },
      ...{ kept: 'file', renewedAt: 1 },
    }
    const accounts = { list: (name: string) => (name === provider ? [account] : []), access: () => of(right) }
    const authStorage = { list: () => [], read: () => EMPTY, accounts }
    expect(await verified('http://127.0.0.1:1', { provider, authStorage })).toMatchObject({ outcome: 'valid' })
    const [first] = server.requests
    expect(first?.path).toMatch(/^\/own(\/v1)?\/models$/)
    expect(first?.headers).toMatchObject({ ...sent, authorization: `Bearer ${right}` })
    expect(first?.headers).not.toHaveProperty('x-api-key')
  })

  it('sends the key as a bearer token too if models.json says so', async () => {
    await using server = await rawSseServer(({ headers }) => answering(headers.authorization === undefined ? 401 : 200))
    const entry = { api: 'anthropic-messages', baseUrl: server.url, apiKey: right, authHeader: true }
    const models = { providers: { mine: entry } }
    expect(await verified(server.url, { models })).toMatchObject({ outcome: 'valid' })
  })

  it('fails for an unknown provider, and for a provider without a key', async () => {
    await expect(verified('http://127.0.0.1:1', { provider: 'nobody' })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(verified('http://127.0.0.1:1', { provider: 'ollama' })).rejects.toMatchObject({
      data: { kind: 'auth' },
    })
  })
})
