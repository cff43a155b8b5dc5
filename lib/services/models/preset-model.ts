// Names the model that a provider's sessions begin with, for answers after a sign-in or a stored key.
import { presets } from '../../providers/index.ts'
import { getOwn } from '../../streams/values/json.ts'

/** Empty for a provider without a preset. */
export function presetModel(provider: string): { readonly defaultModel?: string } {
  const id = getOwn(presets, provider)?.defaultModel
  return id === undefined ? {} : { defaultModel: `${provider}/${id}` }
}
