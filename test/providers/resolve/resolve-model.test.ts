// Tests the resolution of a model's name, for each place that can define a model.
// Over 250 lines: one function; its tests share a configuration folder that each test creates anew.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, lastValueFrom, toArray } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { ResolveModelOptions, ResolvedModel } from '../../../lib/providers/resolve/resolve-model.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import { checkModel } from '../../../lib/streams/validation/validators.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { messageEnd, messageStart, textBlock } from '../anthropic/anthropic-events.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { lastChunk } from '../google/google-chunks.ts'
import { mistralEnding } from '../mistral/mistral-frames.ts'
import { ending, textChunk } from '../openai/openai-chunks.ts'
import { completed, created, textItem } from '../openai/responses/responses-events.ts'

const none: ModelsFile = { providers: {} }

function resolved(options: Partial<ResolveModelOptions> = {}): Promise<ResolvedModel> {
  return new Promise((resolve, reject) => {
    resolveModel({ env: {}, models: none, ...options }).subscribe({ next: resolve, error: reject })
  })
}

/** Sends a request to the model and returns what the endpoint received. */
async function sentRequests({ model, provider }: ResolvedModel) {
  const answer$ = provider(aRequest({ model, messages: [{ role: 'user', content: 'Hello', timestamp: 0 }] }))
  return foldDeltas(await lastValueFrom(answer$.pipe(toArray()), { defaultValue: [] }))
}

let folder: string
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'rxpi-resolve-'))))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

describe('a model name', () => {
  it.each([
    ['ollama/qwen3:8b', { provider: 'ollama', id: 'qwen3:8b', baseUrl: 'http://localhost:11434/v1', local: true }],
    ['lmstudio/a/b', { provider: 'lmstudio', id: 'a/b', baseUrl: 'http://localhost:1234/v1', local: true }],
    ['vllm/m', { provider: 'vllm', baseUrl: 'http://localhost:8000/v1', local: true }],
    ['llamacpp/m', { provider: 'llamacpp', baseUrl: 'http://localhost:8080/v1', local: true }],
    ['demo/guide', { provider: 'demo', id: 'guide' }],
    ['demo', { provider: 'demo', id: 'guide' }],
  ])('resolves %s without a key', async (name, expected) => {
    const { model, notices } = await resolved({ name })
    expect(model).toMatchObject(expected)
    expect(checkModel(model)).toMatchObject({ ok: true })
    expect(notices).toEqual([])
  })

  it('takes context window, limits and prices from the catalogue', async () => {
    const { model } = await resolved({ name: 'openai/gpt-5.1', env: { OPENAI_API_KEY: 'k' } })
    expect(model).toMatchObject({
      api: 'openai-responses',
      contextWindow: 400_000,
      maxOutput: 128_000,
      reasoning: true,
      inputs: ['text', 'image'],
      prices: { input: 1.25 },
    })
    expect(checkModel(model)).toMatchObject({ ok: true })
  })

  it('resolves an Anthropic model to the Messages API, with context window, limits and prices', async () => {
    const { model } = await resolved({ name: 'anthropic/claude-sonnet-5-5', env: { ANTHROPIC_API_KEY: 'k' } })
    expect(model).toMatchObject({
      api: 'anthropic-messages',
      baseUrl: 'https://api.anthropic.com/',
      contextWindow: 1_000_000,
      reasoning: true,
      inputs: ['text', 'image'],
      prices: { input: 2, cacheWrite: 2.5 },
    })
    expect(checkModel(model)).toMatchObject({ ok: true })
  })

  it('leaves context window, limits and prices of an unknown model out [CONFIG-unknown]', async () => {
    const { model } = await resolved({ name: 'openai/gpt-unheard-of', env: { OPENAI_API_KEY: 'k' } })
    expect(Object.keys(model).sort()).toEqual(['api', 'baseUrl', 'id', 'inputs', 'provider', 'reasoning'])
  })

  it('sets the prices of a local model to 0', async () => {
    expect((await resolved({ name: 'ollama/x' })).model.prices).toMatchObject({ input: 0, output: 0 })
  })

  it.each([
    [
      'nobody/x',
      'There is no provider for "nobody/x"; known are mine, openai, anthropic, google, ollama, demo, scripted, replay and others',
    ],
    ['mistrall/x', 'known are mistral, mine, openai'],
    ['gpt-5.1', 'write provider/id, for instance openai/gpt-5.1'],
    ['constructor/x', 'There is no provider'],
    ['ollama', 'names no model'],
    ['ollama/', 'names no model'],
    ['demo/other', 'The provider demo has no model "other"; it has one, demo/guide.'],
    ['', 'names no provider'],
  ])('refuses "%s" with the remedy', async (name, says) => {
    const models = { providers: { mine: { baseUrl: 'http://localhost:1/v1' } } }
    const refused = resolved({ name, models })
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    await expect(refused).rejects.toThrow(says)
  })
})

describe('without a model name', () => {
  it('chooses the provider by the key in the environment, with a notice [CONFIG-keys]', async () => {
    const { model, notices } = await resolved({ env: { OPENAI_API_KEY: 'k' } })
    expect(model.provider).toBe('openai')
    expect(notices).toMatchObject([{ code: 'model_chosen' }])
    expect(notices[0]?.message).toContain(`Using openai/${model.id}, because OPENAI_API_KEY is set`)
  })

  it('names an unusual address in the notice, without its query', async () => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://localhost:9/v1?key=secret' }
    const { notices } = await resolved({ env })
    expect(notices[0]?.message).toContain('at http://localhost:9/v1,')
  })

  it('chooses the provider by a stored key, only at the address of that key', async () => {
    const key = {
      id: 'abcdefg2',
      provider: 'anthropic',
      origin: 'https://api.anthropic.com',
      kept: 'file',
      kind: 'key',
    } as const
    const authStorage = {
      list: (of?: string) => (of === undefined || of === key.provider ? [key] : []),
      read: () => EMPTY,
    }
    const { model, notices } = await resolved({ authStorage })
    expect(model.provider).toBe('anthropic')
    expect(notices[0]?.message).toContain('because a key is stored for anthropic')
    const elsewhere = { ANTHROPIC_BASE_URL: 'http://localhost:9' }
    await expect(resolved({ authStorage, env: elsewhere })).rejects.toThrow('ANTHROPIC_BASE_URL is set')
  })

  it('fails with the missing key and model if only a base URL is set', async () => {
    const refused = resolved({ env: { OPENAI_BASE_URL: 'http://localhost:9/v1' } })
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    await expect(refused).rejects.toThrow(/no model is named and OPENAI_API_KEY is not set.*--model openai\/<id>/)
  })

  it.each([[{}], [{ OPENAI_API_KEY: '' }], [{ OPENAI_API_KEY: ' ' }]])(
    'fails with no_model, what to do and the name of the demo model with %j [MODEL-none]',
    async (env) => {
      const refused = resolved({ env })
      await expect(refused).rejects.toMatchObject({ code: 'no_model' })
      await expect(refused).rejects.toThrow(/rxpi auth set.*OPENAI_API_KEY.*--model demo\/guide/)
    },
  )
})

describe('keys and addresses', () => {
  it('fails with the name of the variable of a missing key', async () => {
    const refused = resolved({ name: 'openai/gpt-5.1' })
    await expect(refused).rejects.toMatchObject({ code: 'provider_error', data: { kind: 'auth' } })
    await expect(refused).rejects.toThrow('There is no key for openai: set OPENAI_API_KEY')
  })

  it('sends a request to OPENAI_BASE_URL, and no key there if none is set [CONFIG-environment]', async () => {
    await using server = await rawSseServer({ body: [textChunk('hi'), ending()] })
    const env = { OPENAI_BASE_URL: `${server.url}/v1` }
    const found = await resolved({ name: 'openai/anything', env })
    expect(found.model.baseUrl).toBe(`${server.url}/v1`)
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'hi' }])
    expect(server.requests[0]?.path).toBe('/v1/chat/completions')
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('sends organisation and project of the environment of the client', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'k', OPENAI_ORG_ID: 'org', OPENAI_PROJECT_ID: 'project' }
    await sentRequests(await resolved({ name: 'openai/x', env }))
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer k',
      'openai-organization': 'org',
      'openai-project': 'project',
    })
  })

  it.each([
    ['localhost:1234', 'OPENAI_BASE_URL is not an http(s) address'],
    ['file:///etc/passwd', 'OPENAI_BASE_URL is not an http(s) address'],
    ['https://me:secret@host/v1', 'OPENAI_BASE_URL holds a user name or password'],
  ])('refuses the address %s', async (OPENAI_BASE_URL, says) => {
    const refused = resolved({ name: 'openai/x', env: { OPENAI_BASE_URL } })
    await expect(refused).rejects.toThrow(says)
    await expect(refused).rejects.not.toThrow('secret')
  })

  it('drops a key in an address from the descriptor of the model', async () => {
    const env = { OPENAI_BASE_URL: 'https://host/v1?key=secret', OPENAI_API_KEY: 'sk-secret' }
    expect(JSON.stringify((await resolved({ name: 'openai/x', env })).model)).not.toContain('secret')
  })
})

describe('the APIs of OpenAI', () => {
  it('are Responses at the address of the vendor and Chat Completions elsewhere, unless models.json sets one [CONFIG-openai]', async () => {
    const apiOf = async (env: Record<string, string>, models = none): Promise<string> =>
      (await resolved({ name: 'openai/gpt-6-sol', env: { OPENAI_API_KEY: 'k', ...env }, models })).model.api
    expect(await apiOf({})).toBe('openai-responses')
    expect(await apiOf({ OPENAI_BASE_URL: 'http://localhost:1/v1' })).toBe('openai-completions')
    expect(await apiOf({}, { providers: { openai: { api: 'openai-completions' } } })).toBe('openai-completions')
  })

  it('are Responses at Azure, at the resource that the environment names', async () => {
    await using server = await rawSseServer({ body: [created, ...textItem(0, 'hi'), completed()] })
    const env = { AZURE_OPENAI_ENDPOINT: server.url, AZURE_OPENAI_API_KEY: 'k' }
    const found = await resolved({ name: 'azure/gpt-5.1', env })
    expect(found.model).toMatchObject({ api: 'openai-responses', contextWindow: 400_000 })
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'hi' }])
    expect(server.requests[0]).toMatchObject({
      path: '/openai/v1/responses?api-version=v1',
      headers: { 'api-key': 'k' },
    })
    await expect(resolved({ name: 'azure/x', env: { AZURE_OPENAI_API_KEY: 'k' } })).rejects.toThrow(
      'providers.azure has no baseUrl; set its address, there or in AZURE_OPENAI_ENDPOINT',
    )
  })
})

describe('the APIs of Google', () => {
  it('are the Gemini API with a Gemini key', async () => {
    await using server = await rawSseServer({ body: [lastChunk('STOP', [{ text: 'hi' }])] })
    const env = { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: server.url }
    const found = await resolved({ name: 'google/gemini-3.5-flash', env })
    expect(found.model).toMatchObject({ api: 'google-generative-ai', contextWindow: 1_048_576, reasoning: true })
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'hi' }])
    expect(server.requests[0]?.headers).toMatchObject({ 'x-goog-api-key': 'k' })
  })

  it('are Vertex with its key, or with a project and no key', async () => {
    await using server = await rawSseServer({ body: [lastChunk('STOP', [{ text: 'hi' }])] })
    const env = { GOOGLE_API_KEY: 'k', GOOGLE_VERTEX_BASE_URL: server.url }
    const found = await resolved({ name: 'vertex/gemini-3.5-flash', env })
    expect(found.model).toMatchObject({ api: 'google-vertex', contextWindow: 1_048_576 })
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'hi' }])
    expect(server.requests[0]?.path).toContain('/publishers/google/models/gemini-3.5-flash:')
    const project = { GOOGLE_CLOUD_PROJECT: 'p' }
    expect((await resolved({ name: 'vertex/gemini-3.5-flash', env: project })).model.api).toBe('google-vertex')
    await expect(resolved({ name: 'vertex/gemini-3.5-flash' })).rejects.toThrow('set GOOGLE_API_KEY')
  })
})

describe('the APIs of Mistral', () => {
  it('are its own at the address of the vendor and Chat Completions elsewhere, unless models.json sets one', async () => {
    const mistral = async (entry?: object): Promise<ResolvedModel> =>
      resolved({
        name: 'mistral/mistral-small-latest',
        env: { MISTRAL_API_KEY: 'k' },
        models: entry === undefined ? none : { providers: { mistral: entry } },
      })
    const found = await mistral()
    expect(found.model).toMatchObject({ api: 'mistral-conversations', reasoning: true, inputs: ['text', 'image'] })
    expect((await mistral({ baseUrl: 'http://localhost:1/v1' })).model.api).toBe('openai-completions')
    await using server = await rawSseServer({ body: [mistralEnding()] })
    const elsewhere = { baseUrl: server.url, api: 'mistral-conversations' }
    await sentRequests(await mistral(elsewhere))
    expect(server.requests[0]?.path).toBe('/v1/chat/completions')
  })
})

describe('the Messages API of Anthropic', () => {
  it('is used at another address in the form of compatible endpoints', async () => {
    await using server = await rawSseServer({ body: [messageStart(), ...textBlock(0, 'hi'), ...messageEnd()] })
    const env = { ANTHROPIC_BASE_URL: `${server.url}/v1`, ANTHROPIC_API_KEY: 'k' }
    const found = await resolved({ name: 'anthropic/claude-opus-5', env })
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'hi' }])
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    })
  })

  it('is used for an endpoint whose entry in models.json sets it', async () => {
    await using server = await rawSseServer({ body: [messageStart(), ...messageEnd()] })
    const models = { providers: { mine: { api: 'anthropic-messages', baseUrl: server.url, apiKey: 'k' } } }
    await sentRequests(await resolved({ name: 'mine/m', models }))
    expect(server.requests[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'k' } })
  })
})

describe('without a model name, with several keys', () => {
  it.each([
    [{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, 'openai'],
    [{ ANTHROPIC_API_KEY: 'k', OPENAI_BASE_URL: 'http://localhost:1/v1' }, 'anthropic'],
  ])('chooses in a fixed order, a key before an address: %j', async (env, provider) => {
    expect((await resolved({ env })).model.provider).toBe(provider)
  })
})

describe('fallbacks', () => {
  const names = ({ fallbacks = [] }: ResolvedModel): string[] => fallbacks.map(({ model }) => modelName(model))
  const own = (fallbacks: string[]): ModelsFile => ({
    providers: { mine: { baseUrl: 'http://localhost:1/v1', models: [{ id: 'm', fallbacks }] } },
  })

  it('are absent by default', async () => {
    expect(await resolved({ name: 'ollama/a' })).not.toHaveProperty('fallbacks')
    expect(await resolved({ name: 'ollama/a', fallbacks: [] })).not.toHaveProperty('fallbacks')
  })

  it('are resolved in order, without duplicates and without the model itself', async () => {
    const fallbacks = ['vllm/b', 'demo', 'ollama/a', 'vllm/b', 'demo/guide', 'mine/m']
    const found = await resolved({ name: 'ollama/a', fallbacks, models: own([]) })
    expect([names(found), found.notices]).toEqual([['vllm/b', 'demo/guide', 'mine/m'], []])
  })

  it('of an entry in models.json replace the others, also if its list is empty', async () => {
    const fallbacks = ['ollama/a']
    expect(names(await resolved({ name: 'mine/m', models: own(['vllm/b']), fallbacks }))).toEqual(['vllm/b'])
    expect(names(await resolved({ name: 'mine/m', models: own([]), fallbacks }))).toEqual([])
    expect(names(await resolved({ name: 'mine/other', models: own(['vllm/b']), fallbacks }))).toEqual(['ollama/a'])
  })

  it('of a fallback are ignored', async () => {
    const { fallbacks } = await resolved({ name: 'ollama/a', fallbacks: ['mine/m'], models: own(['vllm/b']) })
    expect(fallbacks?.[0]).not.toHaveProperty('fallbacks')
  })

  it('that are not available are left out, with a notice of the reason', async () => {
    const found = await resolved({ name: 'ollama/a', fallbacks: ['openai/x', 'nobody/x', 'vllm/b', 'x'] })
    expect(names(found)).toEqual(['vllm/b'])
    expect(found.notices.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'fallback_left_out'))
    expect(found.notices[0]?.message).toContain(
      'The fallback openai/x of ollama/a is left out: There is no key for openai: set OPENAI_API_KEY',
    )
    expect(found.notices[1]?.message).toContain('There is no provider for "nobody/x"')
  })

  it('use their own address and key', async () => {
    await using server = await rawSseServer({ body: [textChunk('in its place'), ending()] })
    const models = { providers: { mine: { baseUrl: server.url, apiKey: '$MY_KEY' } } }
    const { fallbacks } = await resolved({ name: 'ollama/a', models, fallbacks: ['mine/m'], env: { MY_KEY: 'k' } })
    const [fallback] = fallbacks ?? []
    if (fallback === undefined) throw new Error('no fallback')
    expect((await sentRequests({ ...fallback, notices: [] })).content).toEqual([{ type: 'text', text: 'in its place' }])
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k')
  })
})

describe('a preset', () => {
  it('sets API, address, key, catalogue and default model', async () => {
    const { model, notices } = await resolved({ env: { GROQ_API_KEY: 'k' } })
    expect(model).toMatchObject({
      api: 'openai-completions',
      provider: 'groq',
      baseUrl: 'https://api.groq.com/openai/v1',
      contextWindow: 131_072,
      reasoning: true,
      prices: { input: 0.15, output: 0.6, cacheRead: 0.075 },
    })
    expect(notices[0]?.message).toBe(
      'Using groq/openai/gpt-oss-120b, because GROQ_API_KEY is set; use --model or /model for another.',
    )
  })

  it('accepts its key in an alternative variable', async () => {
    expect((await resolved({ name: 'zai/glm-5.3', env: { ZHIPU_API_KEY: 'k' } })).model.contextWindow).toBe(1_000_000)
    await expect(resolved({ name: 'zai/glm-5.3' })).rejects.toThrow('set ZAI_API_KEY')
  })

  it.each(['HF_TOKEN', 'GITHUB_TOKEN', 'CLOUDFLARE_API_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK', 'GOOGLE_API_KEY'])(
    'does not choose a provider by %s, which other programs use too',
    async (variable) => {
      const env = { [variable]: 'k', CLOUDFLARE_ACCOUNT_ID: 'a', AWS_REGION: 'eu-west-1' }
      await expect(resolved({ env })).rejects.toMatchObject({ code: 'no_model' })
    },
  )

  it('says so if its key is set and it has no default model', async () => {
    await expect(resolved({ env: { DEEPINFRA_TOKEN: 'k', CHUTES_API_KEY: 'k' } })).rejects.toMatchObject({
      code: 'no_model',
      data: {
        reasons: [
          'DEEPINFRA_TOKEN and CHUTES_API_KEY are set, but no default model is known there: name one with --model deepinfra/<id> or --model chutes/<id>; rxpi models lists them.',
        ],
      },
    })
    await expect(resolved({ env: { CHUTES_API_KEY: 'k' } })).rejects.toThrow(
      'CHUTES_API_KEY is set, but no default model is known there: name one with --model chutes/<id>;',
    )
    expect((await resolved({ env: { CHUTES_API_KEY: 'k', GROQ_API_KEY: 'k' } })).notices).toHaveLength(1)
  })

  it('fills variables of the environment into its address', async () => {
    const name = 'cloudflare-workers-ai/@cf/openai/gpt-oss-120b'
    const env = { CLOUDFLARE_API_TOKEN: 'k', CLOUDFLARE_ACCOUNT_ID: 'a1b2' }
    expect((await resolved({ name, env })).model).toMatchObject({
      baseUrl: 'https://api.cloudflare.com/client/v4/accounts/a1b2/ai/v1',
      contextWindow: 128_000,
    })
    await expect(resolved({ name, env: { CLOUDFLARE_API_TOKEN: 'k' } })).rejects.toThrow(
      'has no baseUrl; set its address, there or in CLOUDFLARE_ACCOUNT_ID',
    )
    await expect(resolved({ name, env: { ...env, CLOUDFLARE_ACCOUNT_ID: '../x' } })).rejects.toThrow(
      'CLOUDFLARE_ACCOUNT_ID holds what cannot be a part of an address',
    )
  })

  it('sends an optional key if it is set', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    const env = { LITELLM_BASE_URL: server.url }
    await sentRequests(await resolved({ name: 'litellm/x', env }))
    await sentRequests(await resolved({ name: 'litellm/x', env: { ...env, LITELLM_API_KEY: 'k' } }))
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer k'])
    expect((await resolved({ name: 'litellm/x' })).model).not.toHaveProperty('prices')
  })
})

describe('models.json', () => {
  const mine = (fields: ModelsFile['providers'][string]): ModelsFile => ({ providers: { mine: fields } })

  it('merges compat options: preset, then endpoint, then model', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    const entry = (id: string): ModelsFile['providers'][string] => ({
      baseUrl: server.url,
      compat: { 'openai-completions': { thinkingForm: 'enable_thinking', storeField: true } },
      models: [{ id, reasoning: true, compat: { 'openai-completions': { thinkingForm: 'thinking' } } }],
    })
    await sentRequests(await resolved({ name: 'mine/m', models: mine(entry('m')) }))
    await sentRequests(await resolved({ name: 'ollama/m', models: { providers: { ollama: entry('m') } } }))
    for (const { body } of server.requests) {
      expect(JSON.parse(body)).toMatchObject({ thinking: { type: 'disabled' }, store: false })
      expect(JSON.parse(body)).not.toHaveProperty('enable_thinking')
    }
  })

  it('describes endpoints and their models [CONFIG-models]', async () => {
    await using server = await rawSseServer({ body: [textChunk('mine'), ending()] })
    const models = mine({
      api: 'openai-completions',
      baseUrl: `${server.url}/api`,
      apiKey: '$MY_KEY',
      headers: { 'x-team': 'a' },
      models: [{ id: 'm', contextWindow: 1000, maxOutput: 10, inputs: ['text', 'image'], reasoning: true }],
    })
    const found = await resolved({ name: 'mine/m', models, env: { MY_KEY: 'k' } })
    expect(found.model).toMatchObject({
      contextWindow: 1000,
      maxOutput: 10,
      inputs: ['text', 'image'],
      reasoning: true,
    })
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'mine' }])
    expect(server.requests[0]).toMatchObject({
      path: '/api/chat/completions',
      headers: { authorization: 'Bearer k', 'x-team': 'a' },
    })
  })

  it('accepts model ids that are not listed [CONFIG-unknown]', async () => {
    const { model } = await resolved({ name: 'mine/other', models: mine({ baseUrl: 'http://localhost:1/v1' }) })
    expect(model).toMatchObject({ id: 'other', inputs: ['text'], local: true })
  })

  it('changes the address of a preset', async () => {
    const models = { providers: { ollama: { baseUrl: 'http://other:11434/v1' } } }
    expect((await resolved({ name: 'ollama/x', models })).model).toMatchObject({
      baseUrl: 'http://other:11434/v1',
      local: true,
    })
  })

  it('does not send its key to an address from the environment', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    const models = { providers: { openai: { apiKey: 'sk-of-the-file' } } }
    await sentRequests(await resolved({ name: 'openai/x', models, env: { OPENAI_BASE_URL: server.url } }))
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('does not send its headers to an address from the environment, and gives a notice', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    const models = { providers: { openai: { baseUrl: 'https://own.invalid/v1', headers: { 'x-team': 'secret' } } } }
    const found = await resolved({ name: 'openai/x', models, env: { OPENAI_BASE_URL: server.url } })
    await sentRequests(found)
    expect(server.requests[0]?.headers).not.toHaveProperty('x-team')
    expect(found.notices).toEqual([
      {
        code: 'headers_left_out',
        message: `The headers of openai in models.json are not sent to ${server.url}/, which OPENAI_BASE_URL names: set baseUrl in models.json for an address that gets them.`,
      },
    ])
  })

  it('sends its headers to its own address, also if the environment has the same one', async () => {
    await using server = await rawSseServer({ body: [ending()] })
    const models = { providers: { openai: { baseUrl: server.url, headers: { 'x-team': 'a' } } } }
    const found = await resolved({ name: 'openai/x', models, env: { OPENAI_BASE_URL: `${server.url}/` } })
    await sentRequests(found)
    expect([server.requests[0]?.headers, found.notices]).toMatchObject([{ 'x-team': 'a' }, []])
  })

  it.each([
    [mine({ baseUrl: 'http://localhost:1', apiKey: '$MY_KEY' }), 'provider_error', 'set MY_KEY'],
    [mine({}), 'bad_config', 'providers.mine has no baseUrl'],
    [mine({ baseUrl: 'localhost:1' }), 'bad_config', 'providers.mine.baseUrl is not an http(s) address'],
    [mine({ baseUrl: 'http://x', api: 'telepathy' }), 'bad_config', 'providers.mine.api is "telepathy"'],
  ])('refuses %j', async (models, code, says) => {
    const refused = resolved({ name: 'mine/m', models })
    await expect(refused).rejects.toMatchObject({ code })
    await expect(refused).rejects.toThrow(says)
  })
})

describe('scripted/<file>', () => {
  it('reads its replies from a file relative to the working folder', async () => {
    writeFileSync(path.join(folder, 'script.json'), JSON.stringify([{ text: 'one' }, 'two']))
    const found = await resolved({ name: 'scripted/script.json', cwd: folder })
    expect(found.model).toMatchObject({ provider: 'scripted', id: 'script.json' })
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'one' }])
    expect((await sentRequests(found)).content).toEqual([{ type: 'text', text: 'two' }])
    await expect(sentRequests(found)).rejects.toThrow('2 answers and this is request 3')
  })

  it.each([
    ['missing.json', undefined, 'cannot be read'],
    ['bad.json', '[{', 'is not valid: it is not JSON (line 1, column 3'],
    ['wrong.json', '[{"txt":"a"}]', 'is not valid: /0'],
  ])('refuses %s', async (name, content, says) => {
    if (content !== undefined) writeFileSync(path.join(folder, name), content)
    const refused = resolved({ name: `scripted/${name}`, cwd: folder })
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    await expect(refused).rejects.toThrow(`The script ${name} ${says}`)
  })
})
