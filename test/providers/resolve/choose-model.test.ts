// Tests which model is chosen if none is named.
// Over 250 lines: one choice, whose cases are read beside one another.
import { describe, expect, it } from 'vitest'
import { chooseModel } from '../../../lib/providers/resolve/choose-model.ts'
import type { ChooseModelOptions } from '../../../lib/providers/resolve/choose-model.ts'
import type { ResolvedModel } from '../../../lib/providers/resolve/resolve-model.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { jsonServer, llamaServer, lmStudioServer, ollamaServer, vllmServer } from './local-servers.ts'

const me = process.getuid?.() ?? 0

/** Puts the named local endpoints at these addresses and all others at an unknown host. */
function at(urls: Readonly<Record<string, string>>): ModelsFile {
  const nowhere = 'http://gpu-box.invalid/v1' // an address on another machine, so it is not probed
  const all = { ollama: nowhere, lmstudio: nowhere, vllm: nowhere, llamacpp: nowhere, ...urls }
  const endpoints = Object.entries(all).map(([name, url]) => [
    name,
    { baseUrl: url.endsWith('/v1') ? url : `${url}/v1` },
  ])
  return { providers: Object.fromEntries(endpoints) as ModelsFile['providers'] }
}

function choice(options: Partial<ChooseModelOptions>): Promise<ResolvedModel> {
  return new Promise((resolve, reject) => {
    chooseModel({ env: {}, models: at({}), localMs: 20_000, user: me, ownersOf: () => [me], ...options }).subscribe({
      next: resolve,
      error: reject,
    })
  })
}

/** The refusal of a choice without a usable model. */
const refusal = async (options: Partial<ChooseModelOptions>): Promise<string> => {
  const thrown: unknown = await choice(options).catch((error: unknown) => error)
  if (!(thrown instanceof Failure) || thrown.code !== 'no_model')
    throw new Error('a model was chosen', { cause: thrown })
  return thrown.message
}
const nothingFound = 'No key is set, and no model server runs here.'

const codes = ({ notices }: ResolvedModel): string[] => notices.map(({ code }) => code)
const printed = ({ notices }: ResolvedModel): string => notices.map(({ message }) => message).join('\n')

describe('a local server, without a key or a model name', () => {
  it('Ollama: chooses the first completion model with tools, with its loaded context window', async () => {
    await using server = await ollamaServer({
      'nomic-embed-text:latest': { capabilities: ['embedding'], length: 2048 },
      'vectors:latest': { capabilities: ['embedding'] },
      'gemma:2b': { capabilities: ['completion'], length: 8192 },
      'qwen3:8b': { capabilities: ['completion', 'tools', 'thinking', 'vision'], length: 262_144, loaded: 32_768 },
    })
    const found = await choice({ models: at({ ollama: server.url }) })
    expect(found.model).toMatchObject({
      provider: 'ollama',
      id: 'qwen3:8b',
      contextWindow: 32_768,
      reasoning: true,
      inputs: ['text', 'image'],
      local: true,
      prices: { input: 0, output: 0 },
    })
    expect(printed(found)).toBe(
      `Using ollama/qwen3:8b at ${server.url}/v1, because it runs here; use --model or /model for another.`,
    )
  })

  it.each([
    [{ parameters: 'stop "<|im_end|>"\nnum_ctx                        4096', length: 40_960 }, 4096, 'window_small'],
    [{ length: 40_960 }, 40_960, 'window_unsure'],
    [{}, 8192, 'window_unknown'],
  ])('Ollama: for %j the context window is %i', async (model, contextWindow, code) => {
    await using server = await ollamaServer({ 'm:latest': model })
    const found = await choice({ models: at({ ollama: server.url }) })
    expect(found.model.contextWindow).toBe(contextWindow)
    expect(codes(found)).toEqual(['model_chosen', code])
  })

  it('LM Studio: chooses the first model that is not for embeddings, with its loaded context window', async () => {
    await using server = await lmStudioServer([
      { id: 'text-embedding-nomic', type: 'embeddings', state: 'loaded', max_context_length: 2048 },
      { id: 'vectors', type: 'embeddings', state: 'loaded', max_context_length: 2048 },
      { id: 'qwen3-vl', type: 'vlm', state: 'loaded', max_context_length: 262_144, loaded_context_length: 20_000 },
    ])
    const found = await choice({ models: at({ lmstudio: server.url }) })
    expect(found.model).toMatchObject({ provider: 'lmstudio', id: 'qwen3-vl', contextWindow: 20_000 })
    expect(found.model.inputs).toEqual(['text', 'image'])
    expect(codes(found)).toEqual(['model_chosen'])
  })

  it('LM Studio: warns that a model that is not loaded may get a smaller context window', async () => {
    await using server = await lmStudioServer([
      { id: 'm', type: 'llm', state: 'not-loaded', max_context_length: 65_536 },
    ])
    const found = await choice({ models: at({ lmstudio: server.url }) })
    expect([found.model.contextWindow, codes(found)]).toEqual([65_536, ['model_chosen', 'window_unsure']])
  })

  it('vLLM: takes the context window from max_model_len', async () => {
    await using server = await vllmServer([{ id: 'Qwen/Qwen3-32B', owned_by: 'vllm', max_model_len: 40_960 }])
    const found = await choice({ models: at({ vllm: server.url }) })
    expect(found.model).toMatchObject({ provider: 'vllm', id: 'Qwen/Qwen3-32B', contextWindow: 40_960 })
  })

  it('llama.cpp: takes the context window from /props', async () => {
    const props = { default_generation_settings: { n_ctx: 16_384 }, chat_template_caps: { supports_tools: true } }
    await using server = await llamaServer('qwen.gguf', props)
    const found = await choice({ models: at({ llamacpp: server.url }) })
    expect(found.model).toMatchObject({ provider: 'llamacpp', id: 'qwen.gguf', contextWindow: 16_384 })
  })

  it('prefers vLLM to llama.cpp', async () => {
    await using vllm = await vllmServer([{ id: 'v', max_model_len: 40_960 }])
    await using llama = await llamaServer('l', {})
    const both = at({ vllm: vllm.url, llamacpp: llama.url })
    expect(modelName((await choice({ models: both })).model)).toBe('vllm/v')
  })
})

describe('local servers that are not chosen', () => {
  it('says nothing about them if the environment has a key', async () => {
    await using server = await ollamaServer({ 'gemma:2b': { capabilities: ['completion'] } })
    const found = await choice({ models: at({ ollama: server.url }), env: { GROQ_API_KEY: 'k' } })
    expect([found.model.provider, codes(found)]).toEqual(['groq', ['model_chosen']])
  })

  it('offers a model without tools in a notice with its remedy', async () => {
    await using server = await ollamaServer({ 'gemma:2b': { capabilities: ['completion'] } })
    const printed = await refusal({ models: at({ ollama: server.url }) })
    expect(printed).toContain("use --model ollama/gemma:2b --tools '' for it")
  })

  it('ignores a server that has only embedding models', async () => {
    await using server = await ollamaServer({ 'nomic-embed-text:latest': { capabilities: ['embedding'] } })
    expect(await refusal({ models: at({ ollama: server.url }) })).toContain(nothingFound)
  })

  it.each([
    ['a server of another user', () => [me, 4321], 'user 4321 runs it'],
    ['a server of the user nobody', () => [65_534], 'user 65534 runs it'],
    ['a server with an unknown owner', () => undefined, 'this system does not report its owner'],
  ])('offers %s in a notice and does not choose it [S12a]', async (_, ownersOf, says) => {
    await using server = await vllmServer([{ id: 'm', max_model_len: 40_960 }])
    const printed = await refusal({ models: at({ vllm: server.url }), user: 1000 + me, ownersOf })
    expect(printed).toContain(says)
    expect(printed).toContain('use --model vllm/m for it')
  })

  it.each([
    ['another user', () => [1000 + me], 'groq', undefined],
    ['this user', () => [me], 'vllm', 'Bearer secret'],
  ] as const)('sends the headers of models.json only to a trusted server: owner %s [S12a]', async (...row) => {
    const [, ownersOf, provider, authorization] = row
    await using server = await vllmServer([{ id: 'm', max_model_len: 32_768 }])
    const vllm = { baseUrl: `${server.url}/v1`, headers: { authorization: 'Bearer secret' } }
    const models: ModelsFile = { providers: { ...at({}).providers, vllm } }
    const found = await choice({ models, ownersOf, env: { GROQ_API_KEY: 'k' } })
    expect(found.model.provider).toBe(provider)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([authorization])
  })

  it('chooses a server of a system account [S12a]', async () => {
    await using server = await vllmServer([{ id: 'm', max_model_len: 40_960 }])
    const found = await choice({ models: at({ vllm: server.url }), user: 1234, ownersOf: () => [997, 0] })
    expect(found.model.provider).toBe('vllm')
  })

  it('sends no probe to a port without a listener', async () => {
    await using server = await ollamaServer({ 'm:latest': {} })
    expect(await refusal({ models: at({ ollama: server.url }), ownersOf: () => [] })).toContain(nothingFound)
    expect(server.requests).toEqual([])
  })

  it('sends no probe to another machine', async () => {
    expect(await refusal({ models: at({ ollama: 'http://gpu-box.invalid:11434/v1' }) })).toContain(nothingFound)
  })

  it.each([
    ['a web site', jsonServer({})],
    ['a list of another kind', jsonServer({ '/v1/models': { data: [{ id: 'gpt-5', owned_by: 'me' }] } })],
    ['no JSON', rawSseServer({ body: ['<html>'] })],
  ])('ignores %s at the port', async (_, started) => {
    await using server = await started
    const models = at({ vllm: server.url, llamacpp: server.url, ollama: server.url, lmstudio: server.url })
    expect(await refusal({ models })).toContain(nothingFound)
  })

  it('stops all probes at the common time limit', async () => {
    await using server = await rawSseServer({ ending: 'silent' })
    const began = performance.now()
    const models = at({ vllm: server.url, llamacpp: server.url, ollama: server.url, lmstudio: server.url })
    expect(await refusal({ models, localMs: 300 })).toContain(nothingFound)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(performance.now() - began).toBeGreaterThan(290)
  })

  it('uses the answers that arrived before the time limit', async () => {
    await using server = await rawSseServer(({ path }) =>
      path === '/api/tags' ? { body: [JSON.stringify({ models: [{ name: 'm:latest' }] })] } : { ending: 'silent' },
    )
    const found = await choice({ models: at({ ollama: server.url }), localMs: 2_000 })
    expect([modelName(found.model), found.model.contextWindow]).toEqual(['ollama/m:latest', 8192])
    expect(codes(found)).toEqual(['model_chosen', 'window_unknown'])
  })

  it('sends no probe with a limit of 0 ms', async () => {
    await using server = await ollamaServer({ 'm:latest': {} })
    expect(await refusal({ models: at({ ollama: server.url }), localMs: 0 })).toContain(nothingFound)
    expect(server.requests).toEqual([])
  })
})

describe('a named local model', () => {
  it('gets its loaded context window, also if the name has no Ollama tag', async () => {
    await using server = await ollamaServer({ 'other:1b': {}, 'qwen3:latest': { loaded: 24_000 } })
    const found = await choice({ name: 'ollama/qwen3', models: at({ ollama: server.url }) })
    expect(found.model).toMatchObject({ id: 'qwen3', contextWindow: 24_000 })
    expect(found.notices).toEqual([])
  })

  it('gives a notice if it has no tools', async () => {
    await using server = await ollamaServer({ 'gemma:2b': { capabilities: ['completion'], loaded: 32_768 } })
    const found = await choice({ name: 'ollama/gemma:2b', models: at({ ollama: server.url }) })
    expect([modelName(found.model), codes(found)]).toEqual(['ollama/gemma:2b', ['model_without_tools']])
  })

  it('sends no probe if models.json has the context window, and accepts an unknown model', async () => {
    await using server = await ollamaServer({ 'm:latest': { loaded: 4096 } })
    const baseUrl = `${server.url}/v1`
    const models = { providers: { ollama: { baseUrl, models: [{ id: 'm', contextWindow: 100_000 }] } } }
    expect((await choice({ name: 'ollama/m', models })).model.contextWindow).toBe(100_000)
    expect(server.requests).toEqual([])
    expect((await choice({ name: 'ollama/gone', models })).model).not.toHaveProperty('contextWindow')
  })
})

describe('the last chosen model', () => {
  it('takes precedence over keys, with a notice', async () => {
    const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }
    const found = await choice({ env, last: 'anthropic/claude-opus-5' })
    expect(modelName(found.model)).toBe('anthropic/claude-opus-5')
    expect(printed(found)).toBe(
      'Using anthropic/claude-opus-5, because it was chosen last; use --model or /model for another.',
    )
    expect(modelName((await choice({ env })).model)).toBe('openai/gpt-6-sol')
  })

  it.each([['anthropic/claude-opus-5'], ['nobody/x'], [''], ['ollama/gone'], ['ollama/nomic-embed-text']])(
    'is skipped if it is not available: %s',
    async (last) => {
      const vectors = { capabilities: ['embedding'] }
      await using server = await ollamaServer({ 'm:latest': { loaded: 32_768 }, 'nomic-embed-text:latest': vectors })
      const found = await choice({ last, models: at({ ollama: server.url }) })
      expect(modelName(found.model)).toBe('ollama/m:latest')
    },
  )

  it('yields to a named model', async () => {
    const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }
    expect((await choice({ env, last: 'anthropic/claude-opus-5', name: 'openai/x' })).model.provider).toBe('openai')
  })
})
