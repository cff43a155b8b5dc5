// Schema of models.json as people write it: with pi's field names beside rxpi's.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { ApiCompat } from '../models/api-compat.ts'
import { nullable, stringEnum } from '../schema/schema-helpers.ts'
import { Count } from '../values/identifiers.ts'
import { ModelsModel, ModelsProvider, providerNamePattern } from './settings.ts'

const closed = { additionalProperties: false }
const flag = Type.Optional(Type.Boolean())
const anything = Type.Optional(Type.Unknown())
const price = Type.Number({ minimum: 0 })

/** pi's `cost`: `prices` under another name, in parts if it overrides a known model. */
const cost = Type.Optional(
  Type.Object({
    input: Type.Optional(price),
    output: Type.Optional(price),
    cacheRead: Type.Optional(price),
    cacheWrite: Type.Optional(price),
    tiers: Type.Optional(
      Type.Array(
        Type.Object({
          inputTokensAbove: Count,
          input: price,
          output: price,
          cacheRead: Type.Optional(price),
          cacheWrite: Type.Optional(price),
        }),
      ),
    ),
  }),
)

/** Differences in pi's words, for the API of the endpoint or model. */
export const PiCompat = Type.Object(
  {
    supportsStore: flag,
    supportsDeveloperRole: flag,
    supportsReasoningEffort: flag,
    supportsUsageInStreaming: flag,
    maxTokensField: Type.Optional(stringEnum(['max_tokens', 'max_completion_tokens'])),
    requiresToolResultName: flag,
    requiresAssistantAfterToolResult: flag,
    requiresReasoningContentOnAssistantMessages: flag,
    thinkingFormat: Type.Optional(Type.String()),
    supportsStrictMode: flag,
    promptCacheKeyMode: Type.Optional(Type.String()),
    supportsTemperature: flag,
    forceAdaptiveThinking: flag,
    supportsCacheControlOnTools: flag,
  },
  closed,
)
export type PiCompat = Static<typeof PiCompat>

/** Fields of pi that change what is sent; rxpi has no counterpart, and a warning says so. */
export const piCompatWithoutEffect = [
  'supportsFinishReason',
  'requiresNonNullAssistantContent',
  'requiresToolsWithToolHistory',
  'requiresThinkingAsText',
  'chatTemplateKwargs',
  'chatTemplateArgs',
  'openRouterRouting',
  'vercelGatewayRouting',
  'zaiToolStream',
  'thinkingTokenBudgetField',
  'supportsThinkingTokenBudget',
  'cacheControlFormat',
  'vllmPriority',
  'supportsMaxOutputTokens',
  'allowedFallbackModels',
] as const

/** Fields of pi for features that rxpi does not use with any endpoint: nothing is lost without them. */
const piCompatUnused = [
  'supportsOpenAIGrammarTools',
  'supportsMidConvoSystemMessages',
  'supportsMidConvoToolAdditions',
  'supportsMidConvoToolChanges',
  'supportsMidConvoEffort',
  'sendSessionAffinityHeaders',
  'sendSessionIdHeader',
  'sessionAffinityFormat',
  'supportsLongCacheRetention',
  'supportsAdditionalTools',
  'supportsToolSearch',
  'supportsExplicitPromptCacheMode',
  'supportsEagerToolInputStreaming',
  'allowEmptySignature',
  'supportsStrictTools',
  'supportsMessageThreads',
] as const

function ofAnyValue<Name extends string>(names: readonly Name[]): Record<Name, typeof anything> {
  return Object.fromEntries(names.map((name) => [name, anything])) as Record<Name, typeof anything> // a key a name
}

const WrittenCompat = Type.Object(
  {
    ...ApiCompat.properties,
    ...PiCompat.properties,
    ...ofAnyValue(piCompatWithoutEffect),
    ...ofAnyValue(piCompatUnused),
  },
  closed,
)
const compat = Type.Optional(WrittenCompat)

/** Fields of a model that rxpi does not honour; a warning says so. */
export const piModelWithoutEffect = ['samplingParams', 'samplingParamsByThinkingLevel'] as const

const { id, ...optionalModelFields } = ModelsModel.properties
const overriding = {
  ...optionalModelFields,
  input: optionalModelFields.inputs,
  maxTokens: Type.Optional(Count),
  cost,
  /** The word sent for each thinking level; null: the model does not have the level. */
  thinkingLevelMap: Type.Optional(Type.Record(Type.String(), nullable(Type.String()))),
  inputLimits: anything,
  promptCache: anything,
  ...ofAnyValue(piModelWithoutEffect),
  compat,
}

const WrittenModel = Type.Object({ id, ...overriding }, closed)
const WrittenOverride = Type.Object(overriding, closed)
export type WrittenModel = Static<typeof WrittenModel>
export type WrittenOverride = Static<typeof WrittenOverride>

const WrittenProvider = Type.Object(
  {
    ...ModelsProvider.properties,
    name: Type.Optional(Type.String()),
    oauth: anything,
    compat,
    models: Type.Optional(Type.Array(WrittenModel)),
    modelOverrides: Type.Optional(Type.Record(Type.String({ minLength: 1 }), WrittenOverride)),
  },
  closed,
)
export type WrittenProvider = Static<typeof WrittenProvider>

/** `models.json` as it stands on the disk. */
export const WrittenModelsFile = Type.Object(
  {
    $schema: anything,
    providers: Type.Record(Type.String({ pattern: providerNamePattern }), WrittenProvider, closed),
  },
  { ...closed, $id: 'WrittenModelsFile' },
)
export type WrittenModelsFile = Static<typeof WrittenModelsFile>
