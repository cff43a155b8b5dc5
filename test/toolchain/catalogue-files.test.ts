// Tests the generated files of the model catalogue.
import { describe, expect, it } from 'vitest'
import { catalogueFiles } from '../../scripts/catalogue/catalogue-files.ts'
import { levelWords } from '../../lib/providers/catalogue/published-rows.ts'
import type { PublishedModel } from '../../lib/streams/models/catalogue-schemas.ts'
import { cataloguedProviders } from '../../lib/providers/catalogue/catalogue.ts'

const source = { name: 'a-package', version: '1.0.0', date: '2026-01-02', licence: 'MIT' }
const plain: PublishedModel = {
  ...{
    id: 'm',
    name: 'M',
    api: 'openai-completions',
    reasoning: false,
    input: ['text'],
    contextWindow: 10,
    maxTokens: 5,
  },
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
}

/** The rows of one provider; all others have one model. */
function rowsOf(provider: string, theirs: string, ...models: PublishedModel[]): unknown {
  const providers = Object.fromEntries([...names, theirs].map((name) => [name, { m: plain }]))
  const all = { ...providers, [theirs]: Object.fromEntries(models.map((model) => [model.id, model])) }
  const text = catalogueFiles(all, source).get(`${provider}.ts`) ?? ''
  return JSON.parse(`[${text.slice(text.indexOf('= [') + 3, text.lastIndexOf(']')).replace(/,\s*$/, '')}]`)
}
const names = [...cataloguedProviders, 'qwen-token-plan', 'vercel-ai-gateway', 'google-vertex', 'amazon-bedrock']

describe('the files of the catalogue', () => {
  it('name their source, one file a provider and one that loads them', () => {
    const files = catalogueFiles(Object.fromEntries(names.map((name) => [name, { m: plain }])), source)
    expect([...files.keys()].toSorted()).toEqual(
      [...cataloguedProviders.map((name) => `${name}.ts`), 'index.ts'].toSorted(),
    )
    for (const text of files.values()) expect(text).toContain('from a-package 1.0.0 of 2026-01-02 (licence MIT)')
  })

  it('omit values that the source omits', () => {
    const free = { ...plain, id: 'x:free', cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }
    expect(rowsOf('openrouter', 'openrouter', plain, free, { ...free, id: 'x' })).toEqual([
      ['m', 'M', 10, 5, '', [1, 2]],
      ['x', 'M', 10, 5, '', []],
      ['x:free', 'M', 10, 5, '', [0, 0, 0, 0]],
    ])
  })

  it('contain prices of the cache and of long requests, and none of plans', () => {
    const cost = {
      input: 1,
      output: 2,
      cacheRead: 0,
      cacheWrite: 3,
      tiers: [{ inputTokensAbove: 7, ...plain.cost, input: 4 }],
    }
    expect(rowsOf('groq', 'groq', { ...plain, cost })).toEqual([
      ['m', 'M', 10, 5, '', [1, 2, -1, 3], { tiers: [[7, 4, 2]] }],
    ])
    expect(rowsOf('qwen', 'qwen-token-plan', plain)).toEqual([['m', 'M', 10, 5, '', []]])
  })

  it('omit models without chat, and batch-only models', () => {
    const rows = rowsOf('groq', 'groq', plain, { ...plain, id: 'i', type: 'image' }, { ...plain, id: 'm:batch' })
    expect(rows).toEqual([['m', 'M', 10, 5, '', [1, 2]]])
  })

  it('are not generated from a source that lost a provider', () => {
    expect(() => catalogueFiles({}, source)).toThrow('the source has no models of')
  })
})

describe('the words for thinking levels', () => {
  it.each([
    [undefined, true, undefined],
    [undefined, false, '-,-,-,-,-,-'],
    [
      { off: null, minimal: null, low: 'low', medium: 'medium', high: 'high', xhigh: null },
      true,
      '-,low,low,medium,high,high',
    ],
    [
      { off: 'none', minimal: null, low: null, medium: null, high: 'high', xhigh: null, max: 'max' },
      true,
      'none,high,high,high,high,max',
    ],
    [{ high: 'default' }, true, '-,low,low,medium,default,default'],
  ])('of %j are the nearest existing ones', (map, takes, words) => {
    expect(levelWords(map, takes)).toBe(words)
  })
})
