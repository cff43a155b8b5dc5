// Anthropic's models: how each generation is asked to think.
//
// Source: the vendor's pages (platform.claude.com/docs: thinking, preserved thinking, migration guides), as read in November 2026
// through public copies of them.
import type { AnthropicMessagesCompat } from '../anthropic/anthropic-messages-compat.ts'
import type { CatalogueFamily, FamilyManners } from './catalogue-entry.ts'

function claude(compat: Partial<AnthropicMessagesCompat>): FamilyManners {
  return { inputs: ['text', 'image'], reasoning: true, compat: { 'anthropic-messages': compat } }
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

/** The first that fits counts. */
export const anthropicFamilies: readonly CatalogueFamily[] = [
  { pattern: /^anthropic\/claude-sonnet-5-5(-|$)/, entry: claude(betweenTools) },
  { pattern: /^anthropic\/claude-haiku-5-5(-|$)/, entry: claude(canBeOff) },
  { pattern: /^anthropic\/claude-(opus|sonnet)-5(-\d{8})?$/, entry: claude(unbound) },
  { pattern: /^anthropic\/claude-[a-z]+-[5-9](-|$)/, entry: claude(always) },
  { pattern: /^anthropic\/claude-[a-z]+-4-[78](-|$)/, entry: claude(silentlyOff) },
  { pattern: /^anthropic\/claude-[a-z]+-4-6(-|$)/, entry: claude(firstAdaptive) },
  { pattern: /^anthropic\/claude-([a-z]+-4|3-7-[a-z]+)(-|$)/, entry: claude({}) },
  { pattern: /^anthropic\/claude-3/, entry: { ...claude({}), reasoning: false } },
]
