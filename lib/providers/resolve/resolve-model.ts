// Resolves a model's name to the model and its Provider.
//
// Guarantees: a notice reports every automatic choice; a key is used only for its own provider; no model is chosen that
// only pretends to answer.
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AuthStorage, GetApiKey } from '../../streams/ports/auth-storage.ts'
import { Failure } from '../../streams/values/failure.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import { trialProviders } from '../../streams/models/trial-providers.ts'
import { getOwn } from '../../streams/values/json.ts'
import { catalogueOf, emptyCatalogue } from '../catalogue/catalogue.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catalogueData } from '../catalogue/catalogue-file.ts'
import { demo } from '../offline/demo.ts'
import { demoModel } from '../offline/demo-answers.ts'
import { endpointNamed } from '../endpoints/endpoint.ts'
import type { Fetch } from '../http/guarded-fetch.ts'
import { choiceNotice, chooseUnnamed } from './unnamed-choice.ts'
import type { UnnamedChoice } from './unnamed-choice.ts'
import type { Notice } from '../endpoints/endpoint.ts'
import { processKeyMemory } from '../keys/key-memory.ts'
import type { KeyMemory } from '../keys/key-memory.ts'
import { presets } from '../endpoints/presets.ts'
import { providerModel } from './provider-model.ts'
import type { RegisteredProvider } from '../custom/registry.ts'
import { registeredProviders } from '../custom/registry.ts'
import { replayFile, scriptedFile } from '../offline/model-files.ts'

export interface ResolveModelOptions {
  /** `provider/id`; absent: the first usable model of models.json, else that of the first vendor with a key. */
  readonly name?: string
  /** The client's environment: keys, base URLs. */
  readonly env: Readonly<Record<string, string>>
  /** The environment with which a person started the server; for providers alone. @default none */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
  /** The stored keys. @default none */
  readonly authStorage?: AuthStorage
  /**
   * Returns the key of each request, before all others; with it a missing key fails the request, not the resolution.
   * @default none
   */
  readonly getApiKey?: GetApiKey
  /** Remembered keys. @default those of this process */
  readonly memory?: KeyMemory
  readonly models: ModelsFile
  /** Names of fallbacks, if `models.json` has none for the model. @default none */
  readonly fallbacks?: readonly string[]
  /** Names of fallbacks in place of those of `models.json` and of `fallbacks`. @default none */
  readonly ownFallbacks?: readonly string[] | undefined
  /** The folder of a relative `scripted/<file>`. @default process.cwd() */
  readonly cwd?: string
  /** Newer data of the catalogue, absolute; see `update_models`. @default none */
  readonly catalogueFile?: string | undefined
  /** @default `httpFetch` */
  readonly fetch?: Fetch
  /** Custom providers by name. @default those of `registerProvider` */
  readonly registered?: (name: string) => RegisteredProvider | undefined
}

export interface ResolvedModel extends ProviderModel {
  /** Messages for the user: automatic choices and their reasons. */
  readonly notices: readonly Notice[]
}

/**
 * Emits once and completes. `provider` is a preset, an endpoint of `models.json`, a registered provider, `scripted` or
 * `replay` (a file), or `demo`; any id is valid. Fails with Failure `bad_request` for an unknown name, `bad_config` for
 * an incomplete endpoint, and `provider_error` kind `auth` for a missing key, with its variable. An unavailable
 * fallback is left out, with a notice. It sends no request and runs no `!command`; the first request does. Fails with
 * `no_model` if none is named and none is usable.
 */
export function resolveModel(options: ResolveModelOptions): Observable<ResolvedModel> {
  return defer(() => {
    const { chosen, ...known } = chooseName(options)
    return catalogueOf(listsFor(chosen.model, options), options.catalogueFile).pipe(
      map((catalogue) => resolveChosen(chosen, { ...known, catalogue })),
    )
  })
}

/**
 * The model at once, without what the catalogue has of it: window, prices, levels. @throws Failure as `resolveModel`
 * fails
 */
export function resolveWithoutFacts(options: ResolveModelOptions): ProviderModel {
  const { chosen, ...known } = chooseName(options)
  const { notices, ...found } = resolveChosen(chosen, { ...known, catalogue: emptyCatalogue })
  return found
}

function chooseName(options: ResolveModelOptions) {
  const { name, cwd = process.cwd(), memory = processKeyMemory } = options
  const known = { ...options, cwd, memory }
  const chosen: ChosenName = name === undefined ? chooseUnnamed(known) : { model: name }
  return { ...known, chosen }
}

type ChosenName = { readonly model: string } & Partial<UnnamedChoice>

function resolveChosen(chosen: ChosenName, known: KnownOptions): ResolvedModel {
  return withFallbacks(withChoice(withProblem(resolveNamed(chosen.model, known), known), chosen, known), known)
}

interface KnownOptions extends ResolveModelOptions {
  readonly cwd: string
  readonly memory: KeyMemory
  readonly catalogue: Catalogue
}

/** Returns the named providers, and the vendors whose models they serve. */
function listsFor(name: string, { models, fallbacks = [], ownFallbacks = [] }: ResolveModelOptions): readonly string[] {
  const more = Object.values(models.providers).flatMap(({ models: listed = [] }) =>
    listed.flatMap((model) => model.fallbacks ?? []),
  )
  const providers = [name, ...fallbacks, ...ownFallbacks, ...more].map((each) => splitName(each)[0])
  return providers.flatMap((provider) => [provider, ...makersOf(provider)])
}

function makersOf(provider: string): readonly string[] {
  const maker = getOwn(presets, provider)?.catalogue
  return maker === undefined ? [] : [maker]
}

/** Resolves the fallbacks like the model, each once, without the model itself. */
function withFallbacks(found: ResolvedModel, options: KnownOptions): ResolvedModel {
  const fallbacks = new Map<string, ProviderModel>()
  const notices = [...found.notices]
  const own = modelName(found.model)
  for (const name of fallbackNames(found.model, options)) {
    try {
      const { notices: more, ...fallback } = resolveNamed(name, options)
      if (modelName(fallback.model) === own) continue
      fallbacks.set(modelName(fallback.model), fallback)
      notices.push(...more)
    } catch (error) {
      const message = `The fallback ${name} of ${own} is left out: ${Failure.from(error).message}`
      notices.push({ code: 'fallback_left_out', message })
    }
  }
  return { ...found, ...(fallbacks.size === 0 ? {} : { fallbacks: [...fallbacks.values()] }), notices }
}

function fallbackNames(
  { provider, id }: Model,
  { models, fallbacks = [], ownFallbacks }: ResolveModelOptions,
): readonly string[] {
  if (ownFallbacks !== undefined) return ownFallbacks
  const entry = getOwn(models.providers, provider)
  return entry?.models?.find((model) => model.id === id)?.fallbacks ?? fallbacks
}

function resolveNamed(name: string, options: KnownOptions): ResolvedModel {
  const [provider, id] = splitName(name)
  const own = openOwn(provider, id, options)
  return own === undefined ? openEndpoint(name, options) : { ...own, notices: [] }
}

/** Resolves a file, the demo model, or a registered provider. */
function openOwn(provider: string, id: string, options: KnownOptions): ProviderModel | undefined {
  const { cwd } = options
  if (provider === 'scripted' && id !== '') return scriptedFile(id, cwd)
  if (provider === 'replay' && id !== '') return replayFile(id, cwd)
  if (provider === 'demo' && (id === '' || id === demoModel.id)) return { model: demoModel, provider: demo }
  if (provider === 'demo') throw noSuchDemo(id)
  const registered = options.registered === undefined ? registeredProviders.get(provider) : options.registered(provider)
  return registered === undefined ? undefined : openRegistered(registered, id, options)
}

function openEndpoint(name: string, options: KnownOptions): ResolvedModel {
  const { models } = options
  const [provider, id] = splitName(name)
  const endpoint = endpointNamed(provider, options, id)
  if (endpoint === undefined) throw unknownProvider(name, models)
  if (id === '') throw new Failure('bad_request', `"${name}" names no model: write ${provider}/<id>.`)
  if (options.getApiKey === undefined) endpoint.keys() // throws if one is missing
  return { ...providerModel(id, endpoint, options), notices: endpoint.notices }
}

function openRegistered(registered: RegisteredProvider, id: string, options: ResolveModelOptions): ProviderModel {
  const { name, defaultModel } = registered
  if (Object.hasOwn(options.models.providers, name)) {
    const message = `models.json: providers.${name} has the name of a provider that this program registered; rename one of the two.`
    throw new Failure('bad_config', message)
  }
  const chosenId = id === '' ? defaultModel : id
  if (chosenId === undefined) throw new Failure('bad_request', `"${name}" names no model: write ${name}/<id>.`)
  return registered.open(chosenId, options)
}

function splitName(name: string): [provider: string, id: string] {
  const slash = name.indexOf('/')
  return slash === -1 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)]
}

function noSuchDemo(id: string): Failure {
  return new Failure('bad_request', `The provider demo has no model "${id}"; it has one, ${modelName(demoModel)}.`)
}

function unknownProvider(name: string, { providers }: ModelsFile): Failure {
  const prefix = splitName(name)[0].slice(0, 3)
  const near = Object.keys(presets).filter((preset) => prefix.length === 3 && preset.startsWith(prefix))
  const usual = ['openai', 'anthropic', 'google', 'ollama', 'demo', 'scripted', 'replay']
  const some = [...new Set([...near, ...Object.keys(providers), ...usual])].join(', ')
  const known = `known are ${some} and others, which rxpi models lists`
  const message = name.includes('/')
    ? `There is no provider for "${name}"; ${known}. More can be described in models.json.`
    : `"${name}" names no provider: write provider/id, for instance openai/${name}; ${known}.`
  return new Failure('bad_request', message)
}

/** Adds a notice if newer data of the catalogue cannot be used. */
function withProblem(found: ResolvedModel, { catalogueFile }: ResolveModelOptions): ResolvedModel {
  const { problem } = catalogueData(catalogueFile)
  if (problem === undefined || trialProviders.has(found.model.provider)) return found
  return { ...found, notices: [{ code: 'catalogue_unreadable', message: problem }, ...found.notices] }
}

/** Adds the notice of an automatic choice. */
function withChoice(
  found: ResolvedModel,
  { model, baseUrlVariable = '', because }: ChosenName,
  { env }: ResolveModelOptions,
): ResolvedModel {
  if (because === undefined) return found
  const where = env[baseUrlVariable]?.trim() ? ` at ${found.model.baseUrl ?? ''}` : ''
  return { ...found, notices: [choiceNotice(`${model}${where}`, because), ...found.notices] }
}
