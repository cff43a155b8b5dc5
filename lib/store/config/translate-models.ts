// Translates models.json as written, with pi's field names beside rxpi's, to rxpi's own form.
// Guarantees: if a field stands there under both names, rxpi's name wins.
import type { ModelsFile, ModelsProvider } from '../../streams/config/settings.ts'
import { piCompatWithoutEffect, piModelWithoutEffect } from '../../streams/config/written-models.ts'
import type {
  WrittenModel,
  WrittenModelsFile,
  WrittenOverride,
  WrittenProvider,
} from '../../streams/config/written-models.ts'
import { keyPath } from '../../streams/schema/lenient-check.ts'
import { knowsThinkingFormat, splitCompat, translateCompat } from './translate-compat.ts'
import type { PiCompat } from '../../streams/config/written-models.ts'

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
  const hasOwnWords = thinkingLevelMap !== undefined || Object.keys(pi).length > 0
  // the words of a model win over those of its endpoint field by field, so both are translated together
  const merged = hasOwnWords ? translateCompat(own, { ...ofProvider, ...pi }, thinkingLevelMap) : own
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
