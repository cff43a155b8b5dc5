// Tests that models.json of pi is read in rxpi's own form.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfiguration } from '../../../lib/store/config/load-configuration.ts'
import type { ModelsFile } from '../../../lib/streams/config/settings.ts'

let folder: string

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'rxpi-pi-models-')), 'rxpi')
  mkdirSync(folder)
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true }))

function read(content: object): { models: ModelsFile; warnings: readonly string[] } {
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify(content), { mode: 0o600 })
  const { models, warnings } = loadConfiguration({ env: {}, configFolder: folder })
  return { models, warnings: warnings.map(({ message }) => message.replace(`${folder}/`, '')) }
}

const provider = (fields: object): object => ({ providers: { mine: fields } })
const readProvider = (fields: object) => read(provider(fields)).models.providers['mine']
const readCompat = (compat: object) => readProvider({ compat })?.compat

describe('models.json of pi', () => {
  it('is read whole: provider, models and overrides, without a warning [CONFIG-pi]', () => {
    const written = {
      $schema: 'https://pi.dev/schemas/models.schema.json',
      providers: {
        gateway: {
          name: 'Our gateway',
          baseUrl: 'https://gateway.example.com/v1',
          api: 'openai-completions',
          apiKey: '${GATEWAY_KEY}',
          authHeader: true,
          headers: { 'x-team': '$TEAM' },
          compat: { supportsDeveloperRole: false, supportsReasoningEffort: false, supportsLongCacheRetention: true },
          models: [
            {
              id: 'coder',
              name: 'Coder',
              input: ['text', 'image'],
              contextWindow: 128_000,
              maxTokens: 32_000,
              reasoning: true,
              cost: { input: 1, output: 4, cacheRead: 0.1, cacheWrite: 0 },
              promptCache: { short: 300 },
              inputLimits: { images: { maxPerMessage: 4 } },
            },
            { id: 'claude', api: 'anthropic-messages', baseUrl: 'https://gateway.example.com/anthropic' },
          ],
        },
        openrouter: { modelOverrides: { 'z-ai/glm': { name: 'GLM', maxTokens: 8000 } } },
      },
    }
    expect(read(written)).toEqual({
      warnings: [],
      models: {
        providers: {
          gateway: {
            baseUrl: 'https://gateway.example.com/v1',
            api: 'openai-completions',
            apiKey: '$GATEWAY_KEY',
            authHeader: true,
            headers: { 'x-team': '$TEAM' },
            compat: { 'openai-completions': { systemRole: 'system', thinkingForm: 'none', effort: {} } },
            models: [
              {
                id: 'coder',
                name: 'Coder',
                inputs: ['text', 'image'],
                contextWindow: 128_000,
                maxOutput: 32_000,
                reasoning: true,
                prices: { input: 1, output: 4, cacheRead: 0.1, cacheWrite: 0 },
              },
              { id: 'claude', api: 'anthropic-messages', baseUrl: 'https://gateway.example.com/anthropic' },
            ],
          },
          openrouter: { models: [{ id: 'z-ai/glm', name: 'GLM', maxOutput: 8000 }] },
        },
      },
    })
  })

  it.each([
    ['$MY_KEY', '$MY_KEY'],
    ['${MY_KEY}', '$MY_KEY'],
    ['MY_API_KEY', '$MY_API_KEY'],
    ['!pass show key', '!pass show key'],
    ['ollama', 'ollama'],
    ['sk-Abc_DEF', 'sk-Abc_DEF'],
    ['ABCDEF123', 'ABCDEF123'],
  ])('has the key %s as %s [CONFIG-pi]', (written, own) => {
    expect(readProvider({ apiKey: written })?.apiKey).toBe(own)
    expect(readProvider({ apiKey: [written, 'x'] })?.apiKey).toEqual([own, 'x'])
  })

  it.each<[object, object | undefined]>([
    [{}, undefined],
    [{ supportsStore: true }, { 'openai-completions': { storeField: true } }],
    [{ supportsUsageInStreaming: false }, { 'openai-completions': { streamUsage: false } }],
    [
      { maxTokensField: 'max_completion_tokens' },
      { 'openai-completions': { maxTokensField: 'max_completion_tokens' } },
    ],
    [{ requiresToolResultName: true }, { 'openai-completions': { toolResultName: true } }],
    [{ requiresAssistantAfterToolResult: true }, { 'openai-completions': { answerAfterTool: true } }],
    [{ supportsStrictMode: true }, { 'openai-completions': { strictField: true } }],
    [{ supportsReasoningEffort: true }, { 'openai-completions': { thinkingForm: 'effort' } }],
    [{ thinkingFormat: 'openrouter' }, { 'openai-completions': { thinkingForm: 'reasoning' } }],
    [{ thinkingFormat: 'together' }, { 'openai-completions': { thinkingForm: 'enabled' } }],
    [{ thinkingFormat: 'qwen' }, { 'openai-completions': { thinkingForm: 'enable_thinking', effort: {} } }],
    [{ thinkingFormat: 'qwen-chat-template' }, { 'openai-completions': { thinkingForm: 'template', effort: {} } }],
    [
      { thinkingFormat: 'deepseek', supportsReasoningEffort: false },
      { 'openai-completions': { thinkingForm: 'thinking', effort: {} } },
    ],
    [
      { promptCacheKeyMode: 'disabled' },
      {
        'openai-completions': { promptCacheKey: false },
        'openai-responses': { promptCacheKey: false },
        'mistral-conversations': { promptCacheKey: false },
      },
    ],
    [{ supportsTemperature: false }, { 'anthropic-messages': { temperature: false } }],
    [{ forceAdaptiveThinking: true }, { 'anthropic-messages': { thinking: 'adaptive' } }],
    [{ supportsCacheControlOnTools: false }, { 'anthropic-messages': { cacheBreakpoints: false } }],
    [
      { supportsStore: true, 'openai-completions': { storeField: false } },
      { 'openai-completions': { storeField: false } },
    ],
  ])('has the compat %j as %j [CONFIG-pi]', (pi, own) => {
    expect(readCompat(pi)).toEqual(own)
  })

  it('merges compat of provider and model field by field [CONFIG-pi]', () => {
    const read = readProvider({
      compat: { thinkingFormat: 'together', supportsReasoningEffort: false },
      models: [{ id: 'm', compat: { supportsReasoningEffort: true } }],
    })
    expect(read?.models?.[0]?.compat).toEqual({ 'openai-completions': { thinkingForm: 'enabled' } })
  })

  it('maps thinking levels: usual words for the missing ones, none for null [CONFIG-pi]', () => {
    const thinkingLevelMap = { off: null, minimal: null, high: 'high', xhigh: 'max', max: 'max' }
    const compat = readProvider({ models: [{ id: 'm', thinkingLevelMap }] })?.models?.[0]?.compat
    const effort = { low: 'low', medium: 'medium', high: 'high', xhigh: 'max' }
    expect(compat).toEqual({
      'openai-completions': { effort, thinkingOff: false },
      'openai-responses': { effort },
      'anthropic-messages': { effort },
      'mistral-conversations': { thinking: 'effort', effort: { ...effort, low: 'high', medium: 'high' } },
    })
  })

  it('lets rxpi’s name win over pi’s [CONFIG-pi]', () => {
    const model = { id: 'm', inputs: ['text'], input: ['text', 'image'], maxOutput: 1, maxTokens: 2 }
    expect(readProvider({ models: [model] })?.models).toEqual([{ id: 'm', inputs: ['text'], maxOutput: 1 }])
  })

  it('names what rxpi has no counterpart for, in one warning [CONFIG-pi]', () => {
    const { warnings } = read(
      provider({
        oauth: 'radius',
        compat: { openRouterRouting: { only: ['x'] }, thinkingFormat: 'baseten' },
        models: [{ id: 'm', samplingParams: { top_p: 1 } }],
        modelOverrides: { other: { cost: { cacheRead: 1 } } },
      }),
    )
    expect(warnings).toEqual([
      'models.json: rxpi has no counterpart for providers.mine.oauth, providers.mine.compat.openRouterRouting, ' +
        'providers.mine.compat.thinkingFormat, providers.mine.models[0].samplingParams, ' +
        'providers.mine.modelOverrides.other.cost',
    ])
  })
})
