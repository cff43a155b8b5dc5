// Tests the presets of known endpoints: their names, their order and the facts of each.
import { describe, expect, it } from 'vitest'
import { cataloguedProviders } from '../../../lib/providers/catalogue/catalogue.ts'
import { presets } from '../../../lib/providers/endpoints/presets.ts'
import { WrittenModelsFile } from '../../../lib/streams/generated/file-validators.js'
import { createCheck } from '../../../lib/streams/schema/compiled-validator.ts'
import { readCatalogue } from '../catalogue/read-catalogue.ts'

const checkModelsFile = createCheck(WrittenModelsFile)

const all = Object.entries(presets)

it('include at least 40 providers, the popular ones among them', () => {
  expect(all.length).toBeGreaterThanOrEqual(40)
  const wanted = `anthropic openai azure google vertex groq mistral xai deepseek openrouter together fireworks cerebras
    cloudflare-workers-ai huggingface github-models moonshotai zai qwen minimax nvidia perplexity ollama lmstudio vllm llamacpp litellm`
  expect(wanted.split(/\s+/).filter((name) => !Object.hasOwn(presets, name))).toEqual([])
})

it('are tried in this order if several keys are set and no model is named', () => {
  const order = all.flatMap(([name, { defaultModel, sharedKey }]) => (defaultModel && !sharedKey ? [name] : []))
  expect(order).toEqual(
    `openai anthropic google xai deepseek mistral moonshotai moonshotai-cn kimi-coding zai zai-coding zhipu qwen qwen-cn minimax
    minimax-cn groq cerebras together fireworks baseten nvidia meta xiaomi ant-ling openrouter vercel openai-codex
    github-copilot`.split(/\s+/),
  )
})

describe.each(all)('%s', (_, preset) => {
  it('has a valid address, or a variable for it', () => {
    const address = preset.baseUrl?.replaceAll(/\{[\w,]+\}/g, 'x')
    if (address === undefined) expect(preset.baseUrlVariable).toMatch(/^[A-Z_]+$/)
    else expect([URL.canParse(address), address.endsWith('/')]).toEqual([true, false])
  })

  it('uses TLS unless it is local', () => {
    expect(preset.baseUrl ?? 'https://').toMatch(/^(https:\/\/|http:\/\/localhost:)/)
  })

  it('has compat options that models.json accepts too', () => {
    for (const compat of [preset.compat ?? {}, preset.compatEverywhere ?? {}, preset.account?.compat ?? {}]) {
      expect(checkModelsFile({ providers: { mine: { compat } } })).toMatchObject({ ok: true })
    }
  })
})

it('have default models that are in the list of the provider, if it has one', async () => {
  const lists = await readCatalogue(cataloguedProviders)
  for (const [name, { defaultModel, catalogue }] of all) {
    const list = [name, catalogue ?? name].find((each) => cataloguedProviders.includes(each))
    if (defaultModel !== undefined && list !== undefined) expect([name, ...lists.ids(list)]).toContain(defaultModel)
  }
})
