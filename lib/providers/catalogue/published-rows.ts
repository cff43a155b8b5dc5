// Turns the models that a package publishes into the rows of the catalogue, provider by provider.
// Guarantees: it adds no fact of its own.
import type { PublishedModel } from '../../streams/models/catalogue-schemas.ts'
import { presetApi, presets } from '../endpoints/presets.ts'
import type { CatalogueRow } from './catalogue-row.ts'

/** Maps our provider ids to those of the package. */
export const publishedProviders: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  'ant-ling': 'ant-ling',
  azure: 'azure',
  baseten: 'baseten',
  bedrock: 'amazon-bedrock',
  cerebras: 'cerebras',
  'cloudflare-workers-ai': 'cloudflare-workers-ai',
  deepseek: 'deepseek',
  fireworks: 'fireworks',
  'github-copilot': 'github-copilot',
  google: 'google',
  groq: 'groq',
  huggingface: 'huggingface',
  'kimi-coding': 'kimi-coding',
  meta: 'meta',
  minimax: 'minimax',
  'minimax-cn': 'minimax-cn',
  mistral: 'mistral',
  moonshotai: 'moonshotai',
  'moonshotai-cn': 'moonshotai-cn',
  nvidia: 'nvidia',
  openai: 'openai',
  'openai-codex': 'openai-codex',
  openrouter: 'openrouter',
  qwen: 'qwen-token-plan',
  together: 'together',
  vercel: 'vercel-ai-gateway',
  vertex: 'google-vertex',
  xai: 'xai',
  xiaomi: 'xiaomi',
  zai: 'zai',
}

/** Providers with monthly plans: their prices per token are not those of the package. */
const plans: ReadonlySet<string> = new Set(['github-copilot', 'kimi-coding', 'openai-codex', 'qwen'])

/** Maps the thinking formats of the package to those of rxpi. */
const forms: Readonly<Record<string, string>> = {
  openai: 'effort',
  deepseek: 'thinking',
  zai: 'thinking',
  qwen: 'enable_thinking',
  together: 'enabled',
  openrouter: 'reasoning',
  'ant-ling': 'reasoning',
}

/** Thinking formats that can switch thinking off. */
const hasSwitch = ['thinking', 'enabled', 'enable_thinking']

type Prices = Pick<PublishedModel['cost'], 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

interface RowManner {
  readonly form: string
  readonly isPlan: boolean
}

export interface PublishedRows {
  readonly rows: readonly CatalogueRow[]
  /** Models of a plan for which rxpi would choose another API than the package: they have no row. */
  readonly otherApi: readonly PublishedModel[]
}

/** The rows of one provider, by id; without models that have no chat, and without those of batches. */
export function publishedRows(provider: string, models: readonly PublishedModel[]): PublishedRows {
  const chats = models.filter(({ id, type = 'chat' }) => type === 'chat' && !/[:-]batch$/.test(id))
  const manner = { form: usualForm(provider), isPlan: plans.has(provider) }
  const rows = chats
    .filter((model) => hasOurApi(provider, model))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map((model) => rowOf(withOffWord(model), manner))
  return { rows, otherApi: chats.filter((model) => !hasOurApi(provider, model)) }
}

function hasOurApi(provider: string, { id, api }: PublishedModel): boolean {
  const preset = presets[provider]
  return preset?.apisByModel === undefined || presetApi(preset, id, preset.api) === api
}

/** The package's Codex API names the effort of no thinking itself; its Copilot API names none. */
function withOffWord(model: PublishedModel): PublishedModel {
  const { api, thinkingLevelMap } = model
  if (api === 'openai-codex-responses') return { ...model, thinkingLevelMap: { off: 'none', ...thinkingLevelMap } }
  const isCopilot = 'provider' in model && model.provider === 'github-copilot'
  return isCopilot && api === 'openai-responses'
    ? { ...model, thinkingLevelMap: { ...thinkingLevelMap, off: null } }
    : model
}

function rowOf(model: PublishedModel, { form, isPlan }: RowManner): CatalogueRow {
  const { id, name, contextWindow, maxTokens, reasoning, input } = model
  const sees = input.includes('image')
  const traits = reasoning ? (sees ? 'ri' : 'r') : sees ? 'i' : ''
  const prices = isPlan ? [] : pricesOf(model)
  const { tiers, ...others } = extrasOf(model, form)
  const extras = isPlan || tiers === undefined ? others : { tiers, ...others }
  const row = [id, name, contextWindow, maxTokens, traits, prices] as const
  return Object.keys(extras).length > 0 ? [...row, extras] : row
}

/** Prices of 0 mean free only if the id says so; else they are unknown. The same holds for a cache price of 0. */
function pricesOf({ id, cost }: PublishedModel): number[] {
  if (cost.input === 0 && cost.output === 0) return id.endsWith(':free') ? [0, 0, 0, 0] : []
  return priceList(cost)
}

function priceList({ input, output, cacheRead, cacheWrite }: Prices): number[] {
  const cache = [cacheRead, cacheWrite].map((price) => (price === 0 ? -1 : price))
  while (cache.at(-1) === -1) cache.pop()
  return [input, output, ...cache].map((price) => Number(price.toPrecision(6)))
}

function extrasOf(model: PublishedModel, usualForm: string): Record<string, unknown> {
  const { api, cost, reasoning, thinkingLevelMap, compat = {} } = model
  const tiers = (cost.tiers ?? []).map(({ inputTokensAbove, ...prices }) => [inputTokensAbove, ...priceList(prices)])
  const speaksEffort = reasoning && (api.includes('openai') || api === 'mistral-conversations')
  const words = speaksEffort ? levelWords(thinkingLevelMap, takesEffort(model)) : undefined
  const form = forms[compat.thinkingFormat ?? '']
  return {
    ...(tiers.length === 0 ? {} : { tiers }),
    ...(words === undefined ? {} : { effort: words }),
    ...(reasoning && form !== undefined && form !== usualForm ? { form } : {}),
    ...(hasSwitch.includes(form ?? '') && thinkingLevelMap?.['off'] === null ? { always: true } : {}),
    ...(compat.requiresReasoningContentOnAssistantMessages === true ? { replay: true } : {}),
  }
}

/** Mistral's own API has a switch for models without effort words; the API that rxpi uses has none. */
function takesEffort({ api, thinkingLevelMap, compat = {} }: PublishedModel): boolean {
  if (api === 'mistral-conversations' && thinkingLevelMap === undefined) return false
  return compat.supportsReasoningEffort !== false
}

function usualForm(provider: string): string {
  return presets[provider]?.compat?.['openai-completions']?.thinkingForm ?? 'effort'
}

const levels = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** Effort words for `off,minimal,low,medium,high,xhigh`, `-` for none; undefined if the words of the API fit. */
export function levelWords(
  map: Readonly<Record<string, string | null>> | undefined,
  takesEffort: boolean,
): string | undefined {
  if (!takesEffort) return '-,-,-,-,-,-'
  if (map === undefined) return undefined
  // a missing level has its own name as effort word, except for rarely supported levels
  const word = (level: string): string | null => {
    const own = map[level]
    if (own !== undefined) return own
    return ['low', 'medium', 'high'].includes(level) ? level : null
  }
  const known = levels.map(word)
  const nearest = levels.map((_, index) => known[index] ?? above(known, index) ?? below(known, index) ?? '-')
  return [map['off'] ?? '-', ...nearest.slice(0, 5)].join(',')
}

function above(known: readonly (string | null)[], from: number): string | undefined {
  return known.slice(from + 1).find((word) => word !== null) ?? undefined
}

function below(known: readonly (string | null)[], from: number): string | undefined {
  return known.slice(0, from).findLast((word) => word !== null) ?? undefined
}
