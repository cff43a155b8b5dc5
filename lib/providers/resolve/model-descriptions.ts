// One provider's models from all that is known of them: what its endpoint serves, what models.json says, what the catalogue lists.
import type { ListedModel } from '../../streams/commands/model-commands.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ModelsProvider } from '../../streams/config/settings.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { demoModel } from '../offline/demo-answers.ts'
import { knownPreset } from '../endpoints/presets.ts'
import type { ServedModel } from '../endpoints/remote-models.ts'

export interface KnownOfProvider {
  readonly catalogue: Catalogue
  /** Of models.json. */
  readonly entry: ModelsProvider | undefined
  readonly served: readonly ServedModel[]
  readonly usable: boolean
}

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Each id once: what is served first, then what the user has listed, then the catalogue's. */
export function listedModels(provider: string, known: KnownOfProvider): readonly ListedModel[] {
  if (provider === demoModel.provider) return [{ model: demoModel, usable: true, served: false }]
  const { catalogue, entry, served } = known
  const preset = knownPreset(provider)
  const own = catalogue.ids(provider)
  const ids = new Set([
    ...served.filter(({ embeds }) => embeds !== true).map(({ id }) => id),
    ...(entry?.models ?? []).map(({ id }) => id),
    ...(preset?.defaultModel === undefined ? [] : [preset.defaultModel]),
    ...(own.length === 0 && preset?.catalogue !== undefined ? catalogue.ids(preset.catalogue) : own),
  ])
  return [...ids].map((id) => {
    const said = served.find((model) => model.id === id)
    return { model: described(id, provider, { ...known, said }), usable: known.usable, served: said !== undefined }
  })
}

type Said = { readonly said: ServedModel | undefined }

function described(id: string, provider: string, { catalogue, entry, said }: KnownOfProvider & Said): Model {
  const preset = knownPreset(provider)
  const found = catalogue.entry(provider, id, preset?.catalogue)
  const listed = entry?.models?.find((model) => model.id === id)
  const images = said?.images === true ? (['text', 'image'] as const) : undefined
  const { name, contextWindow = said?.contextWindow, maxOutput, prices } = { ...found, ...listed }
  return {
    id,
    provider,
    api: entry?.api ?? preset?.api ?? 'openai-completions',
    inputs: [...(listed?.inputs ?? found?.inputs ?? images ?? preset?.inputs ?? ['text'])],
    reasoning: listed?.reasoning ?? found?.reasoning ?? said?.reasoning ?? false,
    ...(name === undefined ? {} : { name }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(prices === undefined ? (preset?.local === true ? { prices: free } : {}) : { prices }),
    ...(preset?.local === true ? { local: true } : {}),
  }
}
