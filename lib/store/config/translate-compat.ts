// Translates pi's words for the differences of an endpoint to rxpi's, which stand under the name of their API.
import { ApiCompat } from '../../streams/models/api-compat.ts'
import { thinkingLevels } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { PiCompat, WrittenModel, WrittenProvider } from '../../streams/config/written-models.ts'

type Written = NonNullable<WrittenProvider['compat']>
type LevelMap = NonNullable<WrittenModel['thinkingLevelMap']>
type Completions = NonNullable<ApiCompat['openai-completions']>
type Responses = NonNullable<ApiCompat['openai-responses']>
type Messages = NonNullable<ApiCompat['anthropic-messages']>
type Words = Partial<Readonly<Record<ThinkingLevel, string>>>

export interface SplitCompat {
  /** Under the names of the APIs; undefined if there is none. */
  readonly own: ApiCompat | undefined
  readonly pi: PiCompat
}

export function splitCompat(compat: Written = {}): SplitCompat {
  const isApi = (name: string): boolean => Object.hasOwn(ApiCompat.properties, name)
  const fields = Object.entries(compat)
  const own = fields.filter(([name]) => isApi(name))
  return {
    own: own.length === 0 ? undefined : Object.fromEntries(own),
    pi: Object.fromEntries(fields.filter(([name]) => !isApi(name))),
  }
}

/**
 * Returns the words of both, rxpi's own over the translated ones; undefined if there are none. pi's words belong to the
 * API of the endpoint. Most have a meaning in one API only, so they are translated for each.
 */
export function translateCompat(own: ApiCompat | undefined, pi: PiCompat, levels?: LevelMap): ApiCompat | undefined {
  const translated = {
    'openai-completions': { ...completions(pi, levels), ...own?.['openai-completions'] },
    'openai-responses': { ...responses(pi, levels), ...own?.['openai-responses'] },
    'anthropic-messages': { ...messages(pi, levels), ...own?.['anthropic-messages'] },
  }
  const filled = Object.entries(translated).filter(([, words]) => Object.keys(words).length > 0)
  const merged = { ...own, ...Object.fromEntries(filled) }
  return Object.keys(merged).length === 0 ? undefined : merged
}

function completions(pi: PiCompat, levels: LevelMap | undefined): Completions {
  return defined<Completions>({
    storeField: pi.supportsStore,
    systemRole: pi.supportsDeveloperRole === undefined ? undefined : pi.supportsDeveloperRole ? 'developer' : 'system',
    streamUsage: pi.supportsUsageInStreaming,
    maxTokensField: pi.maxTokensField,
    toolResultName: pi.requiresToolResultName,
    answerAfterTool: pi.requiresAssistantAfterToolResult,
    emptyThinking: pi.requiresReasoningContentOnAssistantMessages,
    strictField: pi.supportsStrictMode,
    promptCacheKey: promptCacheKey(pi),
    ...thinking(pi, levels),
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

/** True if rxpi has the form of thinking that pi calls so. */
export function knowsThinkingFormat(format: string): boolean {
  return Object.hasOwn(thinkingForms, format)
}

function thinking(
  { thinkingFormat, supportsReasoningEffort }: PiCompat,
  levels: LevelMap | undefined,
): Partial<Completions> {
  const format = thinkingFormat !== undefined && knowsThinkingFormat(thinkingFormat) ? thinkingFormat : undefined
  const { form, words = true } = (format === undefined ? undefined : thinkingForms[format]) ?? {}
  const isSilent = supportsReasoningEffort === false
  const switchedOff = isSilent && (form === undefined || form === 'effort' || form === 'reasoning')
  return defined<Completions>({
    thinkingForm: switchedOff ? 'none' : (form ?? (supportsReasoningEffort === true ? 'effort' : undefined)),
    effort: isSilent || !words ? {} : effortWords(levels, { ...usualWords, xhigh: 'high' }),
    thinkingOff: levels?.['off'] === null ? false : undefined,
  })
}

function responses(pi: PiCompat, levels: LevelMap | undefined): Responses {
  return defined<Responses>({
    promptCacheKey: promptCacheKey(pi),
    effort: effortWords(levels, { ...usualWords, xhigh: 'high' }),
  })
}

const messageWords: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max'])

function messages(pi: PiCompat, levels: LevelMap | undefined): Messages {
  const words = effortWords(levels, { ...usualWords, xhigh: 'xhigh' })
  const known = words && Object.fromEntries(Object.entries(words).filter(([, word]) => messageWords.has(word)))
  return defined<Messages>({
    temperature: pi.supportsTemperature,
    thinking: pi.forceAdaptiveThinking === undefined ? undefined : pi.forceAdaptiveThinking ? 'adaptive' : 'budget',
    cacheBreakpoints: pi.supportsCacheControlOnTools === false ? false : undefined,
    effort: known,
  })
}

function promptCacheKey({ promptCacheKeyMode }: PiCompat): boolean | undefined {
  return promptCacheKeyMode === 'enabled' ? true : promptCacheKeyMode === 'disabled' ? false : undefined
}

const usualWords: Words = { minimal: 'low', low: 'low', medium: 'medium', high: 'high' }

/** The word of each level: the map's, none for null, the usual one for a level that the map leaves out. */
function effortWords(levels: LevelMap | undefined, usual: Words): Words | undefined {
  if (levels === undefined) return undefined
  const words = thinkingLevels.map(
    (level) => [level, levels[level] === undefined ? usual[level] : levels[level]] as const,
  )
  return Object.fromEntries(words.filter((entry): entry is [ThinkingLevel, string] => typeof entry[1] === 'string'))
}

function defined<Fields extends object>(fields: {
  readonly [Name in keyof Fields]?: Fields[Name] | undefined
}): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields // without the absent ones
}
