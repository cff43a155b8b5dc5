// Anthropic's models: how each generation is asked to think, and for the current ones window, limits and prices.
//
// Source: the vendor's pages (platform.claude.com/docs: models overview, thinking, preserved thinking, migration guides), as read
// in November 2026 through public copies of them. The price of writing the cache is that of its five-minute form.
import type { AnthropicMessagesCompat } from './anthropic-messages-compat.ts'
import type { ModelPrices } from '../streams/model.ts'
import { mannersOf } from './catalogue-entry.ts'
import type { CatalogueEntry, CatalogueFamily } from './catalogue-entry.ts'

const million = 1_000_000

function claude(compat: Partial<AnthropicMessagesCompat>, known: Partial<CatalogueEntry> = {}): CatalogueEntry {
  return { inputs: ['text', 'image'], reasoning: true, ...known, compat: { 'anthropic-messages': compat } }
}

function prices(input: number, output: number): ModelPrices {
  return { input, output, cacheRead: input / 10, cacheWrite: input * 1.25 }
}

/** Thinks always; the least that can be asked for is little effort. */
const always = {
  thinking: 'adaptive',
  withoutThinking: 'never',
  effort: { off: 'low', minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
  temperature: false,
  boundThinking: true,
} as const satisfies Partial<AnthropicMessagesCompat>
const betweenTools = { ...always, withoutThinking: 'between_tools', effort: { ...always.effort, off: 'low' } } as const
const { off: _, ...words } = always.effort
const canBeOff = { ...always, withoutThinking: 'disabled', effort: words } as const
const unbound = { ...canBeOff, boundThinking: false } as const
const silentlyOff = { ...unbound, withoutThinking: 'omit' } as const
const firstAdaptive = { ...silentlyOff, temperature: true, effort: { ...words, xhigh: 'high' } } as const

const large = { contextWindow: million, maxOutput: 128_000 }

export const anthropicModels: Readonly<Record<string, CatalogueEntry>> = {
  'anthropic/claude-fable-5-2': claude(always, { ...large, prices: prices(8, 40) }),
  'anthropic/claude-fable-5-1': claude(always, { ...large, prices: prices(10, 50) }),
  'anthropic/claude-opus-5-5': claude(always, { ...large, prices: prices(4, 20) }),
  'anthropic/claude-sonnet-5-5': claude(betweenTools, { ...large, prices: prices(2, 10) }),
  'anthropic/claude-opus-5': claude(unbound, { ...large, prices: prices(5, 25) }),
  'anthropic/claude-sonnet-5': claude(unbound, { ...large, prices: prices(2, 10) }),
  'anthropic/claude-haiku-4-5': claude({}, { contextWindow: 200_000, maxOutput: 64_000, prices: prices(1, 5) }),
}

/** The first that fits counts. */
export const anthropicFamilies: readonly CatalogueFamily[] = [
  { pattern: /^anthropic\/claude-sonnet-5-5(-|$)/, entry: mannersOf(claude(betweenTools)) },
  { pattern: /^anthropic\/claude-haiku-5-5(-|$)/, entry: mannersOf(claude(canBeOff)) },
  { pattern: /^anthropic\/claude-(opus|sonnet)-5(-\d{8})?$/, entry: mannersOf(claude(unbound)) },
  { pattern: /^anthropic\/claude-[a-z]+-[5-9](-|$)/, entry: mannersOf(claude(always)) },
  { pattern: /^anthropic\/claude-[a-z]+-4-[78](-|$)/, entry: mannersOf(claude(silentlyOff)) },
  { pattern: /^anthropic\/claude-[a-z]+-4-6(-|$)/, entry: mannersOf(claude(firstAdaptive)) },
  { pattern: /^anthropic\/claude-([a-z]+-4|3-7-[a-z]+)(-|$)/, entry: mannersOf(claude({})) },
  { pattern: /^anthropic\/claude-3/, entry: { ...mannersOf(claude({})), reasoning: false } },
]
