// Finds the first preset with a key, in the order of presets, if no model is named.
import { endpointAddress } from '../endpoints/endpoint.ts'
import type { EndpointSources } from '../endpoints/endpoint.ts'
import type { Preset } from '../endpoints/preset.ts'
import { setVariable } from '../endpoints/presets.ts'
import { presets } from '../endpoints/presets.ts'
import { chooseEnvironment } from '../keys/key-environment.ts'
import { usedKeys } from '../keys/provider-keys.ts'

export interface PresetWithKey {
  /** `provider/id`. */
  readonly model: string
  readonly provider: string
  readonly preset: Preset
  /** The reason, such as `OPENAI_API_KEY is set`. */
  readonly because: string
}

/**
 * Returns the preset, if there is one. The client's variables come before those of the server's start. A variable that is common for other purposes does not choose a preset; a stored
 * key does.
 * @throws Failure `bad_config` if the stored keys cannot be read
 */
export function findPresetWithKey(sources: EndpointSources): PresetWithKey | undefined {
  const { startEnv, authStorage: _, ...ownKeys } = sources
  return (startEnv === undefined ? undefined : firstWithKey(ownKeys)) ?? firstWithKey(sources)
}

function firstWithKey(sources: EndpointSources): PresetWithKey | undefined {
  const stored = new Set(sources.authStorage?.list().map(({ provider }) => provider))
  for (const [provider, preset] of Object.entries(presets)) {
    if (preset.defaultModel === undefined) continue
    const environment = chooseEnvironment(preset, sources)
    const variable = preset.sharedKey === true ? undefined : setVariable(preset, environment.env)
    const because =
      variable === undefined
        ? storedKey(provider, stored.has(provider), sources)
        : `${variable} ${environment.isOfStart ? 'was set when the server was started' : 'is set'}`
    if (because !== undefined) return { model: `${provider}/${preset.defaultModel}`, provider, preset, because }
  }
  return undefined
}

function storedKey(provider: string, isStored: boolean, sources: EndpointSources): string | undefined {
  const address = isStored ? endpointAddress(provider, sources) : undefined
  const keys = address === undefined ? [] : usedKeys(address, sources)
  return keys.some(({ origin }) => origin.from !== 'environment') ? `a key is stored for ${provider}` : undefined
}
