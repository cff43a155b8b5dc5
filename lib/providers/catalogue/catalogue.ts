// Loads the generated catalogue of models, provider by provider, and finds a model's entry.
//
// An unknown id is valid; nothing is claimed of it.
import { defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { mergeCompat } from '../adapter/merge-compat.ts'
import type { ApiCompat } from '../adapter/merge-compat.ts'
import { catalogueLoaders } from '../catalogue-data/index.ts'
import { getOwn } from '../../streams/values/json.ts'
import { catalogueData } from './catalogue-file.ts'
import type { CatalogueData } from './catalogue-file.ts'
import type { CatalogueEntry, CatalogueFamily, FamilyManners, CatalogueRow } from './catalogue-row.ts'
import { rowEntry } from './catalogue-row.ts'
import type { AnthropicMessagesCompat } from '../anthropic/anthropic-messages-options.ts'
import { plainModelId } from '../bedrock/bedrock-region.ts'
import type { BedrockCompat } from '../bedrock/bedrock-options.ts'
import type { GoogleCompat } from '../google/google-options.ts'

/** The known facts about the models of some providers. */
export interface Catalogue {
  /** @param kin the provider that makes the models, if this one has no list or lacks the id, as at Azure */
  entry(provider: string, id: string, kin?: string): CatalogueEntry | undefined
  /** The ids that are listed for a provider, in alphabetical order. */
  ids(provider: string): readonly string[]
}

/** The providers that have a list. */
export const cataloguedProviders: readonly string[] = Object.keys(catalogueLoaders)

/**
 * Emits once and completes: at once if none of the providers has a list, else when their lists are loaded.
 * @param file of newer data, absolute; a file that cannot be used does not count. Default: none
 */
export function catalogueOf(providers: Iterable<string>, file?: string): Observable<Catalogue> {
  const listed = [...new Set(providers)].filter((provider) => Object.hasOwn(catalogueLoaders, provider))
  if (listed.length === 0) return of(emptyCatalogue)
  return defer(() => {
    const { rows = {} } = catalogueData(file)
    return forkJoin(Object.fromEntries(listed.map((provider) => [provider, rowsOf(provider, rows)])))
  }).pipe(map(catalogueWith))
}

function rowsOf(provider: string, newer: NonNullable<CatalogueData['rows']>): Observable<readonly CatalogueRow[]> {
  const rows = getOwn(newer, provider)
  if (rows !== undefined) return of(rows)
  return defer(() => catalogueLoaders[provider]?.() ?? of({ rows: [] })).pipe(map(({ rows }) => rows))
}

/** Knows the families of models only. */
export const emptyCatalogue: Catalogue = catalogueWith({})

function catalogueWith(rowsByProvider: Readonly<Record<string, readonly CatalogueRow[]>>): Catalogue {
  const lists = new Map(Object.entries(rowsByProvider))
  const listed = (provider: string): readonly CatalogueRow[] => lists.get(provider) ?? []
  const found = (provider: string, id: string): CatalogueRow | undefined =>
    listed(provider).find((row) => row[0] === id)
  return {
    entry: (provider, modelId, kin = provider) => {
      const id = plainModelId(modelId)
      const row = found(provider, id) ?? found(kin, id)
      const manners = familyManners(`${kin}/${id}`)
      if (row === undefined) return manners
      const entry = rowEntry(row)
      const compat = mergeCompat(entry.compat, manners?.compat)
      return { ...entry, ...(entry.compat === undefined && manners?.compat === undefined ? {} : { compat }) }
    },
    ids: (provider) => listed(provider).map(([id]) => id),
  }
}

const openAiWords = { low: 'low', medium: 'medium', high: 'high' }
const allWords = { off: 'none', minimal: 'low', ...openAiWords, xhigh: 'xhigh' }
const openAiBase = { inputs: ['text', 'image'], reasoning: true } satisfies FamilyManners

/** Takes tools in a chat completion only without thinking; the request must set the effort `none` then. */
const thinksWithoutTools: FamilyManners = {
  ...openAiBase,
  compat: {
    'openai-completions': { effort: allWords, effortWithTools: 'none' },
    'openai-responses': { effort: allWords },
  },
}
/** The same, but the request must not name an effort beside tools. */
const unnamedEffort: FamilyManners = {
  ...openAiBase,
  compat: {
    'openai-completions': { effort: { minimal: 'low', ...openAiWords, xhigh: 'xhigh' }, effortWithTools: 'omit' },
    'openai-responses': { effort: allWords },
  },
}
const firstReasoning: FamilyManners = {
  ...openAiBase,
  compat: {
    'openai-completions': { effort: { minimal: 'low', ...openAiWords, xhigh: 'high' } },
    'openai-responses': { effort: { off: 'none', minimal: 'low', ...openAiWords, xhigh: 'high' } },
  },
}

/** The first pattern that matches counts. */
const openAiFamilies: readonly CatalogueFamily[] = [
  { pattern: /^openai\/gpt-(5\.6|6(\.\d+)?)(-|$)/, entry: thinksWithoutTools },
  { pattern: /^openai\/gpt-5\.[245](-|$)/, entry: unnamedEffort },
  { pattern: /^openai\/gpt-5\.1(-|$)/, entry: firstReasoning },
  { pattern: /^openai\/(gpt-5|o[134])(-|$)/, entry: openAiBase },
]

type ClaudeCompat = Pick<
  Partial<AnthropicMessagesCompat>,
  'thinking' | 'withoutThinking' | 'effort' | 'temperature' | 'boundThinking'
>

/**
 * The same facts hold at Bedrock, which has the words of Anthropic's API in additional fields.
 * @param cachePoints whether Bedrock has a cache for the model
 */
function claude(compat: ClaudeCompat, cachePoints = true): FamilyManners {
  const bedrock = { thinking: 'budget', cachePoints, limitOutput: true, ...compat } as const
  const both = { 'anthropic-messages': compat, 'bedrock-converse-stream': bedrock }
  return { inputs: ['text', 'image'], reasoning: true, compat: both }
}

/** Always thinks; the lowest level is the effort `low`. */
const claudeAlways = {
  thinking: 'adaptive',
  withoutThinking: 'never',
  effort: { off: 'low', minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
  temperature: false,
  boundThinking: true,
} as const satisfies Partial<AnthropicMessagesCompat>
const betweenTools = { ...claudeAlways, withoutThinking: 'between_tools' } as const
const { off: _, ...claudeWords } = claudeAlways.effort
const canBeOff = { ...claudeAlways, withoutThinking: 'disabled', effort: claudeWords } as const
const unbound = { ...canBeOff, boundThinking: false } as const
const silentlyOff = { ...unbound, withoutThinking: 'omit' } as const
const firstAdaptive = { ...silentlyOff, temperature: true, effort: { ...claudeWords, xhigh: 'high' } } as const

/** The first pattern that matches counts. */
const anthropicFamilies: readonly CatalogueFamily[] = [
  { pattern: /^anthropic\/claude-sonnet-5-5(-|$)/, entry: claude(betweenTools) },
  { pattern: /^anthropic\/claude-haiku-5-5(-|$)/, entry: claude(canBeOff) },
  { pattern: /^anthropic\/claude-(opus|sonnet)-5(-\d{8})?$/, entry: claude(unbound) },
  { pattern: /^anthropic\/claude-[a-z]+-[5-9](-|$)/, entry: claude(claudeAlways) },
  { pattern: /^anthropic\/claude-[a-z]+-4-[78](-|$)/, entry: claude(silentlyOff) },
  { pattern: /^anthropic\/claude-[a-z]+-4-6(-|$)/, entry: claude(firstAdaptive) },
  { pattern: /^anthropic\/claude-([a-z]+-4|3-7-[a-z]+)(-|$)/, entry: claude({}) },
  { pattern: /^anthropic\/claude-3-5-haiku/, entry: { ...claude({}), reasoning: false } },
  { pattern: /^anthropic\/claude-3/, entry: { ...claude({}, false), reasoning: false } },
]

function gemini(compat: Partial<GoogleCompat>): FamilyManners {
  const both = { 'google-generative-ai': compat, 'google-vertex': compat }
  return { inputs: ['text', 'image'], reasoning: true, compat: both }
}

const geminiWords = { low: 'low', medium: 'medium', high: 'high', xhigh: 'high' } as const
const third = { thinking: 'level', signedCalls: true, imagesInResults: true } as const
/** The lowest level is `minimal`. */
const flash = { ...third, levels: { off: 'minimal', minimal: 'minimal', ...geminiWords } } as const
/** Always thinks. */
const geminiAlways = { ...third, levels: { off: 'low', minimal: 'low', ...geminiWords } } as const
const twoLevels = { ...third, levels: { ...geminiAlways.levels, medium: 'high' } } as const

const budgets = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 }
const secondPro = { budgets: { off: 128, ...budgets, xhigh: 32_768 } } as const
const secondFlash = { budgets: { off: 0, ...budgets, xhigh: 24_576 } } as const

/** The first pattern that matches counts. */
const googleFamilies: readonly CatalogueFamily[] = [
  { pattern: /^google\/gemini-3-pro(-|$)/, entry: gemini(twoLevels) },
  { pattern: /^google\/gemini-3(\.\d+)?-flash(-|$)/, entry: gemini(flash) },
  { pattern: /^google\/gemini-(3\.\d+|[4-9](\.\d+)?)-/, entry: gemini(geminiAlways) },
  { pattern: /^google\/gemini-2\.5-pro(-|$)/, entry: gemini(secondPro) },
  { pattern: /^google\/gemini-2\.5-/, entry: gemini(secondFlash) },
]

function gptAtBedrock(compat: Partial<BedrockCompat>): FamilyManners {
  return { inputs: ['text'], reasoning: true, compat: { 'bedrock-converse-stream': compat } }
}

const gptWords = { minimal: 'low', ...openAiWords, xhigh: 'xhigh' }

/** The first pattern that matches counts. */
const bedrockFamilies: readonly CatalogueFamily[] = [
  { pattern: /^bedrock\/(?:[a-z-]+\.)?openai\.gpt-oss-/, entry: gptAtBedrock({ thinking: 'effort' }) },
  { pattern: /^bedrock\/(?:[a-z-]+\.)?openai\.gpt-/, entry: gptAtBedrock({ thinking: 'reasoning', effort: gptWords }) },
]

const families: readonly CatalogueFamily[] = [
  ...anthropicFamilies,
  ...googleFamilies,
  ...openAiFamilies,
  ...bedrockFamilies,
]

/** Bedrock names Anthropic's models with a region and a revision: `us.anthropic.claude-opus-4-6-v1`. */
function vendorName(name: string): string {
  const id = /^bedrock\/(?:[a-z-]+\.)?anthropic\.(claude-[a-z0-9-]*?)(?:-v\d+)?(?::\w+)*$/.exec(name)?.[1]
  return id === undefined ? name : `anthropic/${id}`
}

/** @param name `provider/id`, with the vendor of the model as provider */
export function familyManners(name: string): FamilyManners | undefined {
  const atCopilot = /^github-copilot\/(claude-.*)$/.exec(name)?.[1]
  if (atCopilot !== undefined) return unboundManners(familyManners(`anthropic/${atCopilot.replaceAll('.', '-')}`))
  const usual = vendorName(name)
  return families.find(({ pattern }) => pattern.test(usual))?.entry
}

/** Copilot names the vendor's models with a dot, and has no betas. */
function unboundManners(manners: FamilyManners | undefined): FamilyManners | undefined {
  const unboundThinking: ApiCompat = { 'anthropic-messages': { boundThinking: false } }
  return manners && { ...manners, compat: mergeCompat(manners.compat, unboundThinking) }
}
