// Describes a model: models.json precedes the catalogue, then come its endpoint and its preset.
import type { ModelsProvider } from '../../streams/config/settings.ts'
import type { Model } from '../../streams/models/model.ts'
import type { CatalogueEntry } from '../catalogue/catalogue-row.ts'
import type { Preset } from '../endpoints/preset.ts'
import type { RemoteModel } from '../endpoints/remote-models.ts'

export interface ModelSources {
  /** The entry of models.json. */
  readonly listed?: ListedEntry | undefined
  /** The entry of the catalogue. */
  readonly known?: CatalogueEntry | undefined
  /** The endpoint's own report. */
  readonly remote?: RemoteModel | undefined
  readonly preset?: Preset | undefined
}

type ListedEntry = NonNullable<ModelsProvider['models']>[number]

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The descriptor without the address. A field that no source has is absent. */
export function describeModel(
  name: Pick<Model, 'id' | 'provider' | 'api'>,
  { listed, known, remote, preset }: ModelSources,
): Model {
  const title = listed?.name ?? known?.name
  const contextWindow = listed?.contextWindow ?? known?.contextWindow ?? remote?.contextWindow
  const maxOutput = listed?.maxOutput ?? known?.maxOutput
  const isLocal = preset?.local === true
  const prices = listed?.prices ?? known?.prices ?? (isLocal ? free : undefined)
  const images = remote?.images === true ? (['text', 'image'] as const) : undefined
  return {
    ...name,
    inputs: [...(listed?.inputs ?? known?.inputs ?? images ?? preset?.inputs ?? ['text'])],
    reasoning: listed?.reasoning ?? known?.reasoning ?? remote?.reasoning ?? false,
    ...(title === undefined ? {} : { name: title }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(prices === undefined ? {} : { prices }),
    ...(isLocal ? { local: true } : {}),
  }
}
