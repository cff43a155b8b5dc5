// Chooses a model that is not named, from models.json and the keys; explains why there is none.
import { Failure } from '../../streams/values/failure.ts'
import type { StoredAccount } from '../../streams/accounts/account-storage.ts'
import type { EndpointSources, Notice } from '../endpoints/endpoint.ts'
import { presets, setVariable } from '../endpoints/presets.ts'
import { realModelHint } from '../offline/demo-answers.ts'
import { findConfiguredModel } from './configured-provider.ts'
import type { PortOwners } from './configured-provider.ts'
import { endpointAddress } from '../endpoints/endpoint.ts'
import type { Preset } from '../endpoints/preset.ts'
import { chooseEnvironment } from '../keys/key-environment.ts'
import { usedKeys } from '../keys/provider-keys.ts'

export interface UnnamedChoice {
  /** `provider/id`. */
  readonly model: string
  /** The reason, as a clause. */
  readonly because: string
  /** The variable of its vendor's base URL. */
  readonly baseUrlVariable?: string | undefined
}

/**
 * Chooses the first usable model of models.json, else the default model of the first vendor with a key.
 * @throws Failure `no_model`; `bad_request` if a base URL is set without a key and a model
 */
export function chooseUnnamed(options: EndpointSources & PortOwners): UnnamedChoice {
  const { env, startEnv } = options
  const configured = findConfiguredModel(options)
  if (configured.model !== undefined) return { model: configured.model, because: firstOfModelsFile }
  const keyed = findPresetWithKey(options)
  if (keyed !== undefined) return { ...keyed, baseUrlVariable: keyed.preset.baseUrlVariable }
  for (const [name, { baseUrlVariable = '', keyVariable = '', defaultModel }] of Object.entries(presets)) {
    if (defaultModel !== undefined && env[baseUrlVariable]?.trim())
      throw baseUrlAlone(name, baseUrlVariable, keyVariable)
  }
  throw noModelFailure(reasonsOf([...configured.notices, ...explainUnusedKeys({ ...startEnv, ...env })]))
}

/** The reason of a choice from models.json. */
export const firstOfModelsFile = 'it is the first usable model of models.json'

/** The notice of an automatic choice. @param because a clause */
export function choiceNotice(model: string, because: string): Notice {
  return { code: 'model_chosen', message: `Using ${model}, because ${because}; use --model or /model for another.` }
}

/** Returns a `no_model` with more reasons; any other failure stays as it is. */
export function addReasons(failure: Failure, notices: readonly Notice[]): Failure {
  if (failure.code !== 'no_model' || notices.length === 0) return failure
  const { reasons } = failure.data
  return noModelFailure([...(Array.isArray(reasons) ? reasons.map(String) : []), ...reasonsOf(notices)])
}

function reasonsOf(notices: readonly Notice[]): readonly string[] {
  return notices.map(({ message }) => message)
}

const planHint = 'A plan needs no key: rxpi auth login <provider>.'

/** @param reasons sentences about what was found and cannot be used */
function noModelFailure(reasons: readonly string[]): Failure {
  const why = reasons.length === 0 ? ['No key is set, and no model server runs here.'] : reasons
  const message = [
    'No model can answer.',
    ...why,
    realModelHint,
    planHint,
    'To try rxpi without a model: --model demo/guide.',
  ]
  return new Failure('no_model', message.join(' '), { data: { reasons } })
}

function baseUrlAlone(provider: string, baseUrlVariable: string, keyVariable: string): Failure {
  const message =
    `${baseUrlVariable} is set, but no model is named and ${keyVariable} is not set: ` +
    `store a key (rxpi auth set ${provider}), name a model (--model ${provider}/<id>), or unset ${baseUrlVariable}.`
  return new Failure('bad_request', message)
}

/**
 * Returns one notice about keys whose provider chooses no model by itself, or none. Keys that are common for other
 * purposes do not count.
 */
function explainUnusedKeys(env: Readonly<Record<string, string>>): readonly Notice[] {
  const found = Object.entries(presets).flatMap(([provider, preset]) => {
    const variable =
      preset.sharedKey === true || preset.defaultModel !== undefined ? undefined : setVariable(preset, env)
    return variable === undefined ? [] : [{ provider, variable }]
  })
  if (found.length === 0) return []
  const variables = `${found.map(({ variable }) => variable).join(' and ')} ${found.length === 1 ? 'is' : 'are'} set`
  const names = found.map(({ provider }) => `--model ${provider}/<id>`).join(' or ')
  const message = `${variables}, but no default model is known there: name one with ${names}; rxpi models lists them.`
  return [{ code: 'model_unnamed', message }]
}

// Finds the first preset with a key, in the order of presets, if no model is named.

interface PresetWithKey {
  /** `provider/id`. */
  readonly model: string
  readonly provider: string
  readonly preset: Preset
  /** The reason, such as `OPENAI_API_KEY is set`. */
  readonly because: string
}

/**
 * Returns the preset, if there is one. The client's variables come before those of the server's start. A variable that
 * is common for other purposes does not choose a preset; a stored key does.
 * @throws Failure `bad_config` if the stored keys cannot be read
 */
function findPresetWithKey(sources: EndpointSources): PresetWithKey | undefined {
  const { startEnv, authStorage: _, ...ownKeys } = sources
  return (startEnv === undefined ? undefined : firstWithKey(ownKeys)) ?? firstWithKey(sources)
}

function firstWithKey(sources: EndpointSources): PresetWithKey | undefined {
  const stored = new Set(sources.authStorage?.list().map(({ provider }) => provider))
  for (const [provider, preset] of Object.entries(presets)) {
    if (preset.defaultModel === undefined) continue
    const environment = chooseEnvironment(preset, sources)
    const variable = preset.sharedKey === true ? undefined : setVariable(preset, environment.env)
    const [account] = preset.account === undefined ? [] : (sources.authStorage?.accounts?.list(provider) ?? [])
    const because =
      variable === undefined
        ? storedKey(provider, stored.has(provider) || account !== undefined, sources)
        : `${variable} ${environment.isOfStart ? 'was set when the server was started' : 'is set'}`
    if (because === undefined) continue
    return { model: `${provider}/${ofPlan(preset.defaultModel, account)}`, provider, preset, because }
  }
  return undefined
}

/** A vendor may report that a plan lacks the default model. */
function ofPlan(model: string, account: StoredAccount | undefined): string {
  const { models = [] } = account ?? {}
  return models.length === 0 || models.includes(model) ? model : (models[0] ?? model)
}

function storedKey(provider: string, isStored: boolean, sources: EndpointSources): string | undefined {
  const address = isStored ? endpointAddress(provider, sources) : undefined
  const keys = address === undefined ? [] : usedKeys(address, sources)
  if (keys.some(({ account }) => account !== undefined)) return `you are signed in to ${provider}`
  return keys.some(({ origin }) => origin.from !== 'environment') ? `a key is stored for ${provider}` : undefined
}
