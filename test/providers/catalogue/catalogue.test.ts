// Tests the generated catalogue of models and the lookup of an entry.
import { describe, expect, it } from 'vitest'
import { cataloguedProviders, catalogueOf, familyManners } from '../../../lib/providers/catalogue/catalogue.ts'
import { catalogueSource } from '../../../lib/providers/catalogue-data/index.ts'
import type { CatalogueEntry } from '../../../lib/providers/catalogue/catalogue-row.ts'
import { presets } from '../../../lib/providers/endpoints/presets.ts'
import { Model } from '../../../lib/streams/models/model.ts'
import { compileSchema } from '../../../lib/streams/schema/compile-schema.ts'
import { readCatalogue } from './read-catalogue.ts'

const all = await readCatalogue(cataloguedProviders)
const entries = (): [name: string, entry: CatalogueEntry][] =>
  cataloguedProviders.flatMap((provider) =>
    all
      .ids(provider)
      .map((id): [string, CatalogueEntry] => [`${provider}/${id}`, all.entry(provider, id) ?? missing(id)]),
  )

function missing(id: string): never {
  throw new Error(`${id} is listed and has no entry`)
}

describe('the generated data', () => {
  it('names its source', () => {
    expect(catalogueSource).toEqual({
      name: expect.stringMatching(/^@?[\w/-]+$/) as string,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      licence: 'MIT',
    })
  })

  it('lists more than a thousand models, each once and valid by the schema', () => {
    expect(entries().length).toBeGreaterThan(1000)
    const check = compileSchema(Model)
    for (const provider of cataloguedProviders) {
      const ids = all.ids(provider)
      expect([provider, ids.length]).toEqual([provider, new Set(ids).size])
      expect(ids.length).toBeGreaterThan(0)
    }
    for (const [name, { compat: _, ...entry }] of entries()) {
      const problem = check({ ...entry, id: name, provider: 'p', api: 'a' })
      expect([name, problem]).toEqual([name, []])
    }
  })

  it('has the price 0 only for models named `:free`', () => {
    for (const [name, { prices }] of entries()) {
      if (prices !== undefined && prices.input === 0 && prices.output === 0) expect(name).toMatch(/:free$/)
    }
  })

  it('has price tiers of long requests, in rising order', () => {
    const tiered = entries().filter(([, { prices }]) => prices?.tiers !== undefined)
    expect(tiered.length).toBeGreaterThan(50)
    for (const [name, { prices: { tiers = [] } = {} }] of tiered) {
      const bounds = tiers.map(({ inputTokensAbove }) => inputTokensAbove)
      expect([name, bounds]).toEqual([name, bounds.toSorted((one, other) => one - other)])
      expect(bounds[0]).toBeGreaterThan(10_000)
    }
  })

  it('has models of known providers only', () => {
    expect(cataloguedProviders.filter((provider) => !Object.hasOwn(presets, provider))).toEqual([])
  })
})

describe('an entry', () => {
  it('has name, limits, inputs, prices and compat options', () => {
    expect(all.entry('anthropic', 'claude-haiku-5-5')).toEqual({
      name: 'Claude Haiku 5.5',
      contextWindow: 1_000_000,
      maxOutput: 128_000,
      inputs: ['text', 'image'],
      reasoning: true,
      prices: {
        input: 0.1,
        output: 0.5,
        cacheRead: 0.01,
        cacheWrite: 0.125,
        tiers: [{ inputTokensAbove: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 }],
      },
      compat: expect.objectContaining({
        'anthropic-messages': expect.objectContaining({ thinking: 'adaptive', withoutThinking: 'disabled' }) as object,
      }) as object,
    })
  })

  it('has the effort words of the model, and those of its family first', () => {
    const effort = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' }
    expect(all.entry('groq', 'openai/gpt-oss-120b')?.compat?.['openai-completions']).toEqual({ effort })
    expect(all.entry('mistral', 'mistral-large-4')?.compat?.['mistral-conversations']).toEqual({
      thinking: 'effort',
      effort,
    })
    expect(all.entry('openai', 'gpt-6-sol')?.compat?.['openai-completions']).toMatchObject({ effortWithTools: 'none' })
  })

  it.each([
    ['us.anthropic.claude-opus-4-6-v1', { thinking: 'adaptive', cachePoints: true }],
    ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', { thinking: 'budget', cachePoints: true }],
    ['anthropic.claude-3-5-haiku-20241022-v1:0', { cachePoints: true }],
    ['anthropic.claude-3-haiku-20240307-v1:0:200k', { cachePoints: false }],
    ['arn:aws:bedrock:us-east-1:1:foundation-model/anthropic.claude-opus-5', { thinking: 'adaptive' }],
    ['us-gov.openai.gpt-oss-120b-1:0', { thinking: 'effort' }],
    ['us.openai.gpt-6-sol', { thinking: 'reasoning' }],
  ])('has the compat of %s at Bedrock', (id, compat) => {
    expect(all.entry('bedrock', id)?.compat?.['bedrock-converse-stream']).toMatchObject(compat)
  })

  it('claims nothing of other models at Bedrock', () => {
    expect(all.entry('bedrock', 'deepseek.v3.2')).not.toHaveProperty('compat')
    expect(familyManners('bedrock/not-anthropic.claude-opus-4-6')).toBeUndefined()
  })

  it('comes from the maker of the model if the provider has no such id', () => {
    expect(all.entry('zhipu', 'glm-5.3', 'zai')).toMatchObject({ contextWindow: 1_000_000 })
    expect(all.entry('azure', 'gpt-6-sol', 'openai')).toMatchObject({ contextWindow: 1_050_000 })
    expect(all.entry('azure', 'gpt-6-new', 'openai')).toMatchObject({ reasoning: true })
  })

  it('has compat options of the family and no numbers for an unlisted member', () => {
    expect(all.entry('openai', 'gpt-6-new')).toMatchObject({
      reasoning: true,
      compat: { 'openai-completions': { effortWithTools: 'none' } },
    })
    expect(all.entry('openai', 'gpt-6-new')).not.toHaveProperty('prices')
    expect(familyManners('openai/gpt-5.4-mini-2026-03-17')).toMatchObject({
      compat: { 'openai-completions': { effortWithTools: 'omit' } },
    })
  })

  it.each([
    ['openai', 'gpt-60'],
    ['openai', 'other'],
    ['ollama', 'gpt-6-sol'],
    ['constructor', 'toString'],
  ])('is undefined for %s/%s', (provider, id) => {
    expect(all.entry(provider, id)).toBeUndefined()
  })
})

it('reads only the requested lists', async () => {
  const some = await readCatalogue(['groq', 'ollama', 'groq'])
  expect(some.ids('groq')).toEqual(all.ids('groq'))
  expect(some.ids('openai')).toEqual([])
  let known = false
  catalogueOf(['ollama', 'demo']).subscribe(() => (known = true))
  expect(known, 'at once where there is none').toBe(true)
})
