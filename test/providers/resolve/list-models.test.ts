// Tests the list of models: the catalogue, models.json and local endpoints.
import { EMPTY } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { listModels } from '../../../lib/providers/resolve/list-models.ts'
import type { ListModelsOptions, ModelList } from '../../../lib/providers/resolve/list-models.ts'
import { registerProvider } from '../../../lib/providers/custom/register-provider.ts'
import type { StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { ownDeclaration } from '../custom/custom-api.ts'
import { jsonServer, ollamaServer, vllmServer } from './local-servers.ts'

const nobody: ModelsFile = { providers: {} }

function list(options: Partial<ListModelsOptions> = {}): Promise<ModelList> {
  const all = { env: {}, models: nobody, cwd: '/', memory: createKeyMemory(), localMs: 0, ...options }
  return new Promise((resolve, reject) => {
    listModels(all).subscribe({ next: resolve, error: reject })
  })
}

const names = ({ models }: ModelList): string[] => models.map(({ model }) => modelName(model))

describe('the catalogue, offline', () => {
  it('lists every model once, with the source of the data [COMMAND-list_models]', async () => {
    const all = await list()
    expect(all.total).toBeGreaterThan(1000)
    expect(all.models.length).toBe(all.total)
    expect(new Set(names(all)).size).toBe(all.total)
    expect(all.source).toMatchObject({ version: expect.stringMatching(/^\d/) as string, licence: 'MIT' })
    expect(all.endpoints).toEqual([])
  })

  it('marks usable models and lists them first [COMMAND-list_models]', async () => {
    const all = await list({ env: { GROQ_API_KEY: 'k' } })
    const usable = all.models.filter((listed) => listed.usable)
    expect(new Set(usable.map(({ model }) => model.provider))).toEqual(new Set(['groq', 'demo']))
    expect(all.models.slice(0, usable.length)).toEqual(usable)
    const only = await list({ env: { GROQ_API_KEY: 'k' }, usable: true, limit: 2 })
    expect([only.models, only.total]).toEqual([usable.slice(0, 2), usable.length])
  })

  it.each([
    [{ CLOUDFLARE_API_TOKEN: 'k' }, 'cloudflare-workers-ai', false],
    [{ CLOUDFLARE_API_TOKEN: 'k', CLOUDFLARE_ACCOUNT_ID: 'a' }, 'cloudflare-workers-ai', true],
    [{ GOOGLE_CLOUD_PROJECT: 'p' }, 'vertex', true],
    [{ GOOGLE_CLOUD_PROJECT: ' ' }, 'vertex', false],
    [{ AZURE_OPENAI_API_KEY: 'k' }, 'azure', false],
    [{ AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com' }, 'azure', true],
    [{ OPENAI_BASE_URL: 'http://localhost:9/v1' }, 'openai', true],
    [{}, 'openai', false],
  ])('with %j, models of %s are usable: %j', async (env, provider, usable) => {
    const { models } = await list({ env, provider })
    expect(models.length).toBeGreaterThan(0)
    expect(new Set(models.map((listed) => listed.usable))).toEqual(new Set([usable]))
  })

  it.each([
    ['sonnet 5.5', 'anthropic/claude-sonnet-5-5'],
    ['groq gptoss', 'groq/openai/gpt-oss-120b'],
    ['gpt6sol', 'openai/gpt-6-sol'],
  ])('finds models by a fuzzy search: %s', async (search, expected) => {
    const found = await list({ search })
    expect(names(found).slice(0, 30)).toContain(expected)
    expect(found.total).toBeLessThan(200)
  })

  it('lists only the models of a provider if the search is its name', async () => {
    const found = await list({ search: 'Cerebras' })
    expect(new Set(found.models.map(({ model }) => model.provider))).toEqual(new Set(['cerebras']))
    expect((await list({ search: 'zzzz qqqq' })).total).toBe(0)
    await expect(list({ provider: 'nobody' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it.each([
    [
      ['gpt-6-sol', 'new-model'],
      ['github-copilot/gpt-6-sol', 'github-copilot/new-model'],
    ],
    [undefined, undefined],
  ])('lists of a plan the models that its vendor reports: %j', async (models, expected) => {
    const account: StoredAccount = {
      ...{ id: 'abcdefgh', provider: 'github-copilot', origin: 'https://api.individual.githubcopilot.com' },
      ...{ kept: 'file', renewedAt: 1, ...(models === undefined ? {} : { models }) },
    }
    const accounts = { list: (name: string) => (name === account.provider ? [account] : []), access: () => EMPTY }
    const authStorage = { list: () => [], read: () => EMPTY, accounts }
    const listed = await list({ provider: 'github-copilot', authStorage })
    const all = names(await list({ provider: 'github-copilot' }))
    expect(names(listed)).toEqual(expected ?? all)
    expect(listed.models.every(({ usable }) => usable)).toBe(true)
    expect(all.length).toBeGreaterThan(20)
  })

  it('lists the models of a plan as not usable before the sign-in, each with its API', async () => {
    const { models } = await list({ provider: 'github-copilot' })
    expect(models.some(({ usable }) => usable)).toBe(false)
    const apis = new Map(models.map(({ model }) => [model.id, model.api]))
    expect([apis.get('gpt-6-sol'), apis.get('claude-opus-5'), apis.get('kimi-k3')]).toEqual([
      'openai-responses',
      'anthropic-messages',
      'openai-completions',
    ])
  })

  it('lists the models of the maker for a provider without a list of its own', async () => {
    expect(names(await list({ provider: 'zhipu' }))).toContain('zhipu/glm-5.3')
  })
})

describe('models.json', () => {
  it('adds endpoints and models, and overrides the catalogue', async () => {
    const models: ModelsFile = {
      providers: {
        mine: { baseUrl: 'https://models.invalid/v1', apiKey: '$MY_KEY', models: [{ id: 'own', contextWindow: 7 }] },
        groq: { models: [{ id: 'openai/gpt-oss-120b', contextWindow: 9 }] },
        constructor: { baseUrl: 'https://other.invalid/v1', models: [{ id: 'toString' }] },
      },
    }
    const all = await list({ models })
    const found = (name: string): object | undefined => all.models.find(({ model }) => modelName(model) === name)
    expect(found('mine/own')).toMatchObject({ usable: false, model: { contextWindow: 7, api: 'openai-completions' } })
    expect(found('groq/openai/gpt-oss-120b')).toMatchObject({ model: { contextWindow: 9, reasoning: true } })
    expect(found('constructor/toString')).toMatchObject({ usable: true })
    const keyed = await list({ models, env: { MY_KEY: 'k' }, provider: 'mine' })
    expect(keyed.models[0]?.usable).toBe(true)
  })
})

describe('registered providers', () => {
  it('are listed with their models, usable if their key is set', async () => {
    const takenOut = [
      registerProvider('mine-by-function', () => EMPTY, { models: ['one', { id: 'two', contextWindow: 7 }] }),
      registerProvider(ownDeclaration({ name: 'mine-declared', models: ['x'], auth: { variable: 'MINE_KEY' } })),
    ]
    try {
      const { models } = await list({ search: 'mine-' })
      expect(new Map(models.map(({ model, usable }) => [modelName(model), usable]))).toEqual(
        new Map([
          ['mine-by-function/one', true],
          ['mine-by-function/two', true],
          ['mine-declared/x', false],
        ]),
      )
      const [declared] = (await list({ provider: 'mine-declared', env: { MINE_KEY: 'k' } })).models
      expect(declared?.usable).toBe(true)
    } finally {
      for (const takeOut of takenOut) takeOut()
    }
  })
})

describe('models of local endpoints', () => {
  it('are requested at the address in the environment, without the headers of models.json', async () => {
    await using server = await rawSseServer({
      headers: { 'content-type': 'application/json' },
      body: [JSON.stringify({ data: [{ id: 'one' }] })],
    })
    const models = { providers: { litellm: { headers: { 'x-team': 'secret' } } } }
    const env = { LITELLM_BASE_URL: `${server.url}/v1` }
    expect(names(await list({ models, env, localMs: 20_000, provider: 'litellm' }))).toEqual(['litellm/one'])
    expect(server.requests[0]?.headers).not.toHaveProperty('x-team')
  })

  it('are listed with the data of the endpoint, without embedding models', async () => {
    await using ollama = await ollamaServer({
      'nomic-embed-text:latest': { capabilities: ['embedding'] },
      'qwen3:8b': { capabilities: ['completion', 'tools', 'thinking'], loaded: 32_768 },
    })
    await using vllm = await vllmServer([{ id: 'Qwen/Qwen3-32B', max_model_len: 40_960 }])
    const models = {
      providers: { ollama: { baseUrl: `${ollama.url}/v1` }, vllm: { baseUrl: `${vllm.url}/v1` } },
    }
    const found = await list({ models, localMs: 20_000, search: 'qwen3' })
    const served = found.models.filter((listed) => listed.served)
    expect(served.map(({ model }) => modelName(model)).toSorted()).toEqual(['ollama/qwen3:8b', 'vllm/Qwen/Qwen3-32B'])
    expect(served.find(({ model }) => model.provider === 'ollama')).toMatchObject({
      usable: true,
      model: { contextWindow: 32_768, reasoning: true, local: true, prices: { input: 0, output: 0 } },
    })
    const all = await list({ models, localMs: 20_000, provider: 'ollama' })
    expect(names(all)).toEqual(['ollama/qwen3:8b'])
    expect(all.endpoints).toEqual([{ provider: 'ollama', baseUrl: `${ollama.url}/v1` }])
  })

  it('are requested from an endpoint that only models.json defines', async () => {
    await using server = await jsonServer({ '/v1/models': { data: [{ id: 'one' }, { id: 'two' }, { nothing: true }] } })
    const models = { providers: { mine: { baseUrl: `${server.url}/v1/` } } }
    expect(names(await list({ models, localMs: 20_000, provider: 'mine' }))).toEqual(['mine/one', 'mine/two'])
  })

  it.each([
    ['another server', rawSseServer({ body: ['<html>'] }), 'sent a body that is not JSON'],
    ['a silent server', rawSseServer({ ending: 'silent' }), 'does not answer within 200 ms'],
    ['a server that refuses', rawSseServer({ status: 401, body: ['{"error":"no"}'] }), 'no'],
  ])('reports %s as a problem of the endpoint and still lists models', async (_, started, problem) => {
    await using server = await started
    const models = { providers: { llamacpp: { baseUrl: `${server.url}/v1` } } }
    const localMs = problem.includes('200') ? 200 : 20_000
    const found = await list({ models, localMs, provider: 'llamacpp' })
    expect(found.endpoints[0]?.problem).toContain(problem)
  })
})
