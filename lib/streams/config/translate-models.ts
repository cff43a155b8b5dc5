// Translates models.json as written, with pi's field names beside rxpi's, to rxpi's own form.
// Guarantees: if a field has both names, rxpi's name wins.
import type { ModelsFile, ModelsProvider } from './settings.ts'
import { piCompatWithoutEffect, piModelWithoutEffect } from './written-models.ts'
import type { WrittenModel, WrittenModelsFile, WrittenOverride, WrittenProvider, PiCompat } from './written-models.ts'
import { keyPath } from '../schema/lenient-check.ts'
import { ApiCompat } from '../models/api-compat.ts'
import { thinkingLevels } from '../models/model.ts'
import type { ThinkingLevel } from '../models/model.ts'

export interface TranslatedModels {
  readonly models: ModelsFile
  /** The paths of fields that rxpi understands but has no counterpart for. */
  readonly withoutEffect: readonly string[]
}

type ModelsModel = NonNullable<ModelsProvider['models']>[number]

export function translateModels({ providers }: WrittenModelsFile): TranslatedModels {
  const withoutEffect: string[] = []
  const translated = Object.entries(providers).map(
    ([name, written]) => [name, translateProvider(written, ['providers', name], withoutEffect)] as const,
  )
  return { models: { providers: Object.fromEntries(translated) }, withoutEffect }
}

function translateProvider(written: WrittenProvider, path: readonly string[], withoutEffect: string[]): ModelsProvider {
  const { name: _, oauth, apiKey, compat, models, modelOverrides = {}, ...same } = written
  const { own, pi } = splitCompat(compat)
  const translate = (model: WrittenOverride, id: string, at: readonly string[]): ModelsModel =>
    translateModel({ ...model, id }, pi, [...path, ...at], withoutEffect)
  if (oauth !== undefined) withoutEffect.push(keyPath([...path, 'oauth']))
  reportCompat(compat, path, withoutEffect)
  const listed = models?.map((model, index) => translate(model, model.id, ['models', String(index)])) ?? []
  const overrides = Object.entries(modelOverrides)
    .filter(([id]) => !listed.some((model) => model.id === id))
    .map(([id, model]) => translate(model, id, ['modelOverrides', id]))
  const all = [...listed, ...overrides]
  const merged = translateCompat(own, pi)
  return {
    ...same,
    ...(apiKey === undefined ? {} : { apiKey: translateKeys(apiKey) }),
    ...(merged === undefined ? {} : { compat: merged }),
    ...(models === undefined && all.length === 0 ? {} : { models: all }),
  }
}

function translateModel(
  written: WrittenModel,
  ofProvider: PiCompat,
  path: readonly string[],
  withoutEffect: string[],
): ModelsModel {
  const { input, maxTokens, cost, thinkingLevelMap, inputLimits, promptCache, compat, ...rest } = written
  const { samplingParams, samplingParamsByThinkingLevel, ...same } = rest
  const { own, pi } = splitCompat(compat)
  const hasOwnCompat = thinkingLevelMap !== undefined || Object.keys(pi).length > 0
  // the fields of a model win over those of its endpoint one by one, so both are translated together
  const merged = hasOwnCompat ? translateCompat(own, { ...ofProvider, ...pi }, thinkingLevelMap) : own
  for (const field of piModelWithoutEffect)
    if (written[field] !== undefined) withoutEffect.push(keyPath([...path, field]))
  reportCompat(compat, path, withoutEffect)
  const prices = cost === undefined ? undefined : translateCost(cost)
  if (cost !== undefined && prices === undefined) withoutEffect.push(keyPath([...path, 'cost']))
  return {
    ...(input === undefined ? {} : { inputs: input }),
    ...(maxTokens === undefined ? {} : { maxOutput: maxTokens }),
    ...(prices === undefined ? {} : { prices }),
    ...same,
    ...(merged === undefined ? {} : { compat: merged }),
  }
}

/** Undefined without a price of input or output: rxpi has no partial prices. */
function translateCost({ input, output, ...rest }: NonNullable<WrittenModel['cost']>): ModelsModel['prices'] {
  return input === undefined || output === undefined ? undefined : { input, output, ...rest }
}

/** `${NAME}`, and an older file's bare `MY_API_KEY`, are `$NAME`: no key has the form of a variable's name. */
function translateKeys(apiKey: NonNullable<WrittenProvider['apiKey']>): NonNullable<ModelsProvider['apiKey']> {
  return typeof apiKey === 'string' ? translateKey(apiKey) : apiKey.map(translateKey)
}

function translateKey(key: string): string {
  const name = /^\$\{([A-Za-z_]\w*)\}$/.exec(key)?.[1] ?? /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.exec(key)?.[0]
  return name === undefined ? key : `$${name}`
}

function reportCompat(compat: WrittenProvider['compat'], path: readonly string[], withoutEffect: string[]): void {
  const format = compat?.thinkingFormat
  const unknownFormat = format !== undefined && !knowsThinkingFormat(format) ? ['thinkingFormat'] : []
  const fields = [...piCompatWithoutEffect.filter((field) => compat?.[field] !== undefined), ...unknownFormat]
  for (const field of fields) withoutEffect.push(keyPath([...path, 'compat', field]))
}

// Translates pi's compat fields, which describe what an endpoint does differently, to rxpi's, grouped by API.

type Written = NonNullable<WrittenProvider['compat']>
type LevelMap = NonNullable<WrittenModel['thinkingLevelMap']>
type Completions = NonNullable<ApiCompat['openai-completions']>
type Responses = NonNullable<ApiCompat['openai-responses']>
type Messages = NonNullable<ApiCompat['anthropic-messages']>
type Mistral = NonNullable<ApiCompat['mistral-conversations']>
type EffortWords = Partial<Readonly<Record<ThinkingLevel, string>>>

interface SplitCompat {
  /** Under the names of the APIs; undefined if there is none. */
  readonly own: ApiCompat | undefined
  readonly pi: PiCompat
}

function splitCompat(compat: Written = {}): SplitCompat {
  const isApi = (name: string): boolean => Object.hasOwn(ApiCompat.properties, name)
  const fields = Object.entries(compat)
  const own = fields.filter(([name]) => isApi(name))
  return {
    own: own.length === 0 ? undefined : Object.fromEntries(own),
    pi: Object.fromEntries(fields.filter(([name]) => !isApi(name))),
  }
}

/**
 * Returns the fields of both, rxpi's own over the translated ones; undefined if there are none. pi's fields belong to the
 * API of the endpoint. Most have a meaning in one API only, so they are translated for each.
 */
function translateCompat(own: ApiCompat | undefined, pi: PiCompat, levels?: LevelMap): ApiCompat | undefined {
  const translated = {
    'openai-completions': { ...toCompletions(pi, levels), ...own?.['openai-completions'] },
    'openai-responses': { ...toResponses(pi, levels), ...own?.['openai-responses'] },
    'anthropic-messages': { ...toMessages(pi, levels), ...own?.['anthropic-messages'] },
    'mistral-conversations': { ...toMistral(pi, levels), ...own?.['mistral-conversations'] },
  }
  const filled = Object.entries(translated).filter(([, words]) => Object.keys(words).length > 0)
  const merged = { ...own, ...Object.fromEntries(filled) }
  return Object.keys(merged).length === 0 ? undefined : merged
}

function toCompletions(pi: PiCompat, levels: LevelMap | undefined): Completions {
  return omitUndefined<Completions>({
    storeField: pi.supportsStore,
    systemRole: pi.supportsDeveloperRole === undefined ? undefined : pi.supportsDeveloperRole ? 'developer' : 'system',
    streamUsage: pi.supportsUsageInStreaming,
    maxTokensField: pi.maxTokensField,
    toolResultName: pi.requiresToolResultName,
    answerAfterTool: pi.requiresAssistantAfterToolResult,
    emptyThinking: pi.requiresReasoningContentOnAssistantMessages,
    strictField: pi.supportsStrictMode,
    promptCacheKey: promptCacheKey(pi),
    ...toThinking(pi, levels),
  })
}

/** The form of each `thinkingFormat`, and whether the word of a level is sent beside it. */
const thinkingForms: Readonly<Record<string, { readonly form: Completions['thinkingForm']; readonly words: boolean }>> =
  {
    openai: { form: 'effort', words: true },
    openrouter: { form: 'reasoning', words: true },
    'ant-ling': { form: 'reasoning', words: true },
    deepseek: { form: 'thinking', words: true },
    together: { form: 'enabled', words: true },
    zai: { form: 'thinking', words: false },
    qwen: { form: 'enable_thinking', words: false },
    'qwen-chat-template': { form: 'template', words: false },
  }

/** True if rxpi knows this `thinkingFormat` of pi. */
function knowsThinkingFormat(format: string): boolean {
  return Object.hasOwn(thinkingForms, format)
}

function toThinking(
  { thinkingFormat, supportsReasoningEffort }: PiCompat,
  levels: LevelMap | undefined,
): Partial<Completions> {
  const format = thinkingFormat !== undefined && knowsThinkingFormat(thinkingFormat) ? thinkingFormat : undefined
  const { form, words = true } = (format === undefined ? undefined : thinkingForms[format]) ?? {}
  const isSilent = supportsReasoningEffort === false
  const switchedOff = isSilent && (form === undefined || form === 'effort' || form === 'reasoning')
  return omitUndefined<Completions>({
    thinkingForm: switchedOff ? 'none' : (form ?? (supportsReasoningEffort === true ? 'effort' : undefined)),
    effort: isSilent || !words ? {} : effortWords(levels, { ...usualWords, xhigh: 'high' }),
    thinkingOff: levels?.['off'] === null ? false : undefined,
  })
}

function toResponses(pi: PiCompat, levels: LevelMap | undefined): Responses {
  return omitUndefined<Responses>({
    promptCacheKey: promptCacheKey(pi),
    effort: effortWords(levels, { ...usualWords, xhigh: 'high' }),
  })
}

const messageWords: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max'])

function toMessages(pi: PiCompat, levels: LevelMap | undefined): Messages {
  const words = effortWords(levels, { ...usualWords, xhigh: 'xhigh' })
  const known = words && Object.fromEntries(Object.entries(words).filter(([, word]) => messageWords.has(word)))
  return omitUndefined<Messages>({
    temperature: pi.supportsTemperature,
    thinking: pi.forceAdaptiveThinking === undefined ? undefined : pi.forceAdaptiveThinking ? 'adaptive' : 'budget',
    cacheBreakpoints: pi.supportsCacheControlOnTools === false ? false : undefined,
    effort: known,
  })
}

/** pi knows by the model's name which one takes words; a model with words of its own does. */
function toMistral(pi: PiCompat, levels: LevelMap | undefined): Mistral {
  const effort = effortWords(levels, { minimal: 'high', low: 'high', medium: 'high', high: 'high', xhigh: 'high' })
  return omitUndefined<Mistral>({
    promptCacheKey: promptCacheKey(pi),
    ...(effort === undefined ? {} : { thinking: 'effort', effort }),
  })
}

function promptCacheKey({ promptCacheKeyMode }: PiCompat): boolean | undefined {
  return promptCacheKeyMode === 'enabled' ? true : promptCacheKeyMode === 'disabled' ? false : undefined
}

const usualWords: EffortWords = { minimal: 'low', low: 'low', medium: 'medium', high: 'high' }

/** The word of each level: the map's, none for null, the usual one for a level that the map leaves out. */
function effortWords(levels: LevelMap | undefined, usual: EffortWords): EffortWords | undefined {
  if (levels === undefined) return undefined
  const words = thinkingLevels.map(
    (level) => [level, levels[level] === undefined ? usual[level] : levels[level]] as const,
  )
  return Object.fromEntries(words.filter((entry): entry is [ThinkingLevel, string] => typeof entry[1] === 'string'))
}

function omitUndefined<Fields extends object>(fields: {
  readonly [Name in keyof Fields]?: Fields[Name] | undefined
}): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields // only optional fields are left out
}
