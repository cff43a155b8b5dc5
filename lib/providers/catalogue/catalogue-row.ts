// Defines the rows of the generated catalogue, and expands a row to an entry.
import type { ModelPrices, Model, ThinkingLevel } from '../../streams/models/model.ts'
import type { OpenAiCompletionsCompat } from '../openai/completions/openai-completions-options.ts'
import type { ApiCompat } from '../adapter/merge-compat.ts'

/**
 * Id, name, window and longest answer in tokens (0: not known), traits (`r` it reasons, `i` it sees images), prices in
 * USD per million tokens (input, output, reading the cache, writing it; those after the last one that is known are left
 * out; none: not known), and what only some have.
 */
export type CatalogueRow = readonly [
  id: string,
  name: string,
  contextWindow: number,
  maxOutput: number,
  traits: '' | 'r' | 'i' | 'ri',
  prices: RowPrices,
  more?: RowExtras,
]

/** A price that is not known, before one that is, is -1. */
type RowPrices = readonly number[]

interface RowExtras {
  /** Each the number of input tokens above which it counts, then prices as above. */
  readonly tiers?: readonly RowPrices[]
  /** The word for each thinking level, from `off` to `xhigh`; `-`: none. */
  readonly effort?: string
  /** The form of a thinking request, if it differs from that of the endpoint's other models. */
  readonly form?: OpenAiCompletionsCompat['thinkingForm']
  /** It thinks always. */
  readonly always?: true
  /** It wants its thinking back. */
  readonly replay?: true
}

const levels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const satisfies readonly ThinkingLevel[]

/** Expands a row; its effort word applies to the APIs that take one. */
export function rowEntry([, name, contextWindow, maxOutput, traits, prices, more = {}]: CatalogueRow): CatalogueEntry {
  const knownPrices = rowPrices(prices, more.tiers ?? [])
  return {
    name,
    reasoning: traits.startsWith('r'),
    inputs: traits.endsWith('i') ? ['text', 'image'] : ['text'],
    ...(contextWindow === 0 ? {} : { contextWindow }),
    ...(maxOutput === 0 ? {} : { maxOutput }),
    ...(knownPrices === undefined ? {} : { prices: knownPrices }),
    ...manners(more),
  }
}

function manners({ effort: words, form, always, replay }: RowExtras): Pick<CatalogueEntry, 'compat'> {
  if (words === undefined && form === undefined && replay === undefined) return {}
  const effort = words === undefined ? {} : { effort: effortOf(words) }
  const completions = {
    ...effort,
    ...(form === undefined ? {} : { thinkingForm: form }),
    ...(always === undefined ? {} : { thinkingOff: false }),
    ...(replay === undefined ? {} : { replayThinking: true, emptyThinking: true }),
  }
  const mistral = words === undefined ? {} : { 'mistral-conversations': { thinking: 'effort' as const, ...effort } }
  return { compat: { 'openai-completions': completions, 'openai-responses': effort, ...mistral } }
}

function effortOf(words: string): Partial<Record<ThinkingLevel, string>> {
  const each = words.split(',')
  const pairs = levels.map((level, index) => [level, each[index] ?? '-'] as const)
  return Object.fromEntries(pairs.filter(([, word]) => word !== '-'))
}

function rowPrices(base: RowPrices, tiers: readonly RowPrices[]): ModelPrices | undefined {
  if (base.length === 0) return undefined
  if (tiers.length === 0) return pricesOf(base)
  const above = tiers.map(([inputTokensAbove = 0, ...prices]) => ({ inputTokensAbove, ...pricesOf(prices) }))
  return { ...pricesOf(base), tiers: above }
}

function pricesOf([input = 0, output = 0, cacheRead = -1, cacheWrite = -1]: RowPrices): ModelPrices {
  return {
    input,
    output,
    ...(cacheRead < 0 ? {} : { cacheRead }),
    ...(cacheWrite < 0 ? {} : { cacheWrite }),
  }
}

export interface CatalogueEntry extends Partial<
  Pick<Model, 'name' | 'contextWindow' | 'maxOutput' | 'inputs' | 'prices'>
> {
  readonly reasoning: boolean
  readonly compat?: ApiCompat
}

/** The common facts of a generation's models. */
export type FamilyManners = Pick<CatalogueEntry, 'reasoning' | 'inputs' | 'compat'>

/** The members of a family, also dated and newer ones, by a pattern of `provider/id`. */
export interface CatalogueFamily {
  readonly pattern: RegExp
  readonly entry: FamilyManners
}
