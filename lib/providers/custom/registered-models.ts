// The models of a registered provider: what was said of them, and nothing that is guessed.
import type { Model } from '../../streams/models/model.ts'
import type { ProviderDetails } from './provider-details.ts'

/** What a provider says of its models. */
export type RegisteredModels = Pick<ProviderDetails, 'models' | 'defaultModel'>

/** The descriptors of those that it names. */
export function registeredModels(provider: string, { models = [] }: RegisteredModels): readonly Model[] {
  return models.map((listed) => {
    const { inputs = ['text'], reasoning = false, ...more } = typeof listed === 'string' ? { id: listed } : listed
    return { ...more, inputs, reasoning, provider, api: provider }
  })
}

/** Of an id that it does not name nothing is claimed. */
export function registeredModel(provider: string, id: string, details: RegisteredModels): Model {
  const named = registeredModels(provider, details).find((model) => model.id === id)
  return named ?? { id, provider, api: provider, inputs: ['text'], reasoning: false }
}
