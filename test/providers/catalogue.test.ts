import { expect, it } from 'vitest'
import { catalogueEntry, catalogueNames } from '../../lib/providers/catalogue.ts'
import { presets } from '../../lib/providers/presets.ts'

it('holds the default model of every preset that has one', () => {
  const defaults = Object.entries(presets).flatMap(([name, { defaultModel }]) =>
    defaultModel ? [`${name}/${defaultModel}`] : [],
  )
  expect(defaults.length).toBeGreaterThan(0)
  for (const name of defaults) expect(catalogueNames).toContain(name)
})

it('knows window, output limit and prices of every model that it lists', () => {
  for (const name of catalogueNames) {
    const { contextWindow, maxOutput, prices } = catalogueEntry(name) ?? {}
    expect({ name, contextWindow, maxOutput, prices }).toEqual({
      name,
      contextWindow: expect.any(Number) as number,
      maxOutput: expect.any(Number) as number,
      prices: expect.objectContaining({
        input: expect.any(Number) as number,
        output: expect.any(Number) as number,
      }) as object,
    })
  }
})

it('knows the manners of a family and claims no numbers for its unlisted members', () => {
  expect(catalogueEntry('openai/gpt-6-astra')).toMatchObject({
    reasoning: true,
    compat: { 'openai-completions': { effortWithTools: 'none' } },
  })
  expect(catalogueEntry('openai/gpt-6-astra')).not.toHaveProperty('prices')
  expect(catalogueEntry('openai/gpt-5.4-mini-2026-03-17')).toMatchObject({
    compat: { 'openai-completions': { effortWithTools: 'omit' } },
  })
})

it.each(['openai/gpt-60', 'openai/other', 'ollama/gpt-6-sol', 'constructor'])('knows nothing of %s', (name) => {
  expect(catalogueEntry(name)).toBeUndefined()
})
