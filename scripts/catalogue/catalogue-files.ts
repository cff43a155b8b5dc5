// Turns the source's models into rows, provider by provider.
// Guarantees: it adds no fact of its own.
import { presetApi, presets } from '../../lib/providers/endpoints/presets.ts'
import { levelWords } from './catalogue-levels.ts'

export interface SourceModel {
  readonly id: string
  readonly name: string
  readonly type?: string
  readonly api: string
  readonly reasoning: boolean
  readonly input: readonly string[]
  readonly cost: SourcePrices & { readonly tiers?: readonly (SourcePrices & { readonly inputTokensAbove: number })[] }
  readonly contextWindow: number
  readonly maxTokens: number
  readonly thinkingLevelMap?: Readonly<Record<string, string | null>>
  readonly compat?: {
    readonly thinkingFormat?: string
    readonly supportsReasoningEffort?: boolean
    readonly requiresReasoningContentOnAssistantMessages?: boolean
  }
}

interface SourcePrices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

interface Source {
  readonly name: string
  readonly version: string
  readonly date: string
  readonly licence: string
}

/** Maps our provider ids to those of the source. */
const providers: Readonly<Record<string, string>> = {
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

/** Providers with monthly plans: their prices per token are not those of the source. */
const plans: ReadonlySet<string> = new Set(['github-copilot', 'kimi-coding', 'openai-codex', 'qwen'])

/** Maps the thinking formats of the source to those of rxpi. */
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

interface RowManner {
  readonly form: string
  readonly isPlan: boolean
}

/** Returns the text of each file by name: one file a provider, and `index.ts`, which loads them. */
export function catalogueFiles(
  models: Readonly<Record<string, Readonly<Record<string, SourceModel>>>>,
  source: Source,
): Map<string, string> {
  const files = new Map<string, string>()
  for (const [provider, theirs] of Object.entries(providers)) {
    const all = Object.values(models[theirs] ?? {}).filter(
      ({ id, type = 'chat' }) => type === 'chat' && !/[:-]batch$/.test(id),
    )
    if (all.length === 0) throw new Error(`the source has no models of ${theirs}`)
    for (const model of all) checkApi(provider, model)
    const rows = all
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map((model) => rowText(withOffWord(model), { form: usualForm(provider), isPlan: plans.has(provider) }))
    files.set(
      `${provider}.ts`,
      `${header(source)}${rowImport}\nexport const rows: readonly CatalogueRow[] = [\n${rows.join('')}]\n`,
    )
  }
  return files.set('index.ts', indexText(source))
}

/** @throws Error if rxpi would choose another API for the model of a plan than the source */
function checkApi(provider: string, { id, api }: SourceModel): void {
  const preset = presets[provider]
  if (preset?.apisByModel === undefined || presetApi(preset, id, preset.api) === api) return
  throw new Error(`the source has ${provider}/${id} at ${api}: change apisByModel of its preset`)
}

/** The source's Codex API names the effort of no thinking itself; its Copilot API names none. */
function withOffWord(model: SourceModel): SourceModel {
  const { api, thinkingLevelMap } = model
  if (api === 'openai-codex-responses') return { ...model, thinkingLevelMap: { off: 'none', ...thinkingLevelMap } }
  const isCopilot = 'provider' in model && model.provider === 'github-copilot'
  return isCopilot && api === 'openai-responses'
    ? { ...model, thinkingLevelMap: { ...thinkingLevelMap, off: null } }
    : model
}

const rowImport = "import type { CatalogueRow } from '../catalogue/catalogue-row.ts'\n"

function header({ name, version, date, licence }: Source): string {
  return `// Written by scripts/catalogue/catalogue.ts from ${name} ${version} of ${date} (licence ${licence}); do not change it by hand.\n`
}

function indexText(source: Source): string {
  const loaders = Object.keys(providers).map(
    (name) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: () => import('./${name}.ts'),\n`,
  )
  return `${header(source)}${rowImport}
/** Where the data is from, and of which day. */
export const catalogueSource = ${JSON.stringify(source)} as const

/** The rows of each provider, read when they are asked for. */
export const catalogueLoaders: Readonly<Record<string, () => Promise<{ readonly rows: readonly CatalogueRow[] }>>> = {
${loaders.join('')}}
`
}

function rowText(model: SourceModel, { form, isPlan }: RowManner): string {
  const { id, name, contextWindow, maxTokens, reasoning, input } = model
  const traits = `${reasoning ? 'r' : ''}${input.includes('image') ? 'i' : ''}`
  const row: unknown[] = [id, name, contextWindow, maxTokens, traits, isPlan ? [] : pricesOf(model)]
  const { tiers, ...others } = extrasOf(model, form)
  const extras = isPlan || tiers === undefined ? others : { tiers, ...others }
  if (Object.keys(extras).length > 0) row.push(extras)
  return `  ${JSON.stringify(row)},\n`
}

/** Prices of 0 mean free only if the id says so; else they are unknown. The same holds for a cache price of 0. */
function pricesOf({ id, cost }: SourceModel): number[] {
  if (cost.input === 0 && cost.output === 0) return id.endsWith(':free') ? [0, 0, 0, 0] : []
  return priceList(cost)
}

function priceList({ input, output, cacheRead, cacheWrite }: SourcePrices): number[] {
  const cache = [cacheRead, cacheWrite].map((price) => (price === 0 ? -1 : price))
  while (cache.at(-1) === -1) cache.pop()
  return [input, output, ...cache].map((price) => Number(price.toPrecision(6)))
}

function extrasOf(model: SourceModel, usualForm: string): Record<string, unknown> {
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
function takesEffort({ api, thinkingLevelMap, compat = {} }: SourceModel): boolean {
  if (api === 'mistral-conversations' && thinkingLevelMap === undefined) return false
  return compat.supportsReasoningEffort !== false
}

function usualForm(provider: string): string {
  return presets[provider]?.compat?.['openai-completions']?.thinkingForm ?? 'effort'
}
