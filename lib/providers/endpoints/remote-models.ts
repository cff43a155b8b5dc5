// Lists the models that an endpoint serves, and merges their facts into a model's descriptor.
import { catchError, defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { fetchJson, atRoot } from '../http/fetch-json.ts'
import type { JsonEndpoint } from '../http/fetch-json.ts'
import type { RemoteKind } from './preset.ts'
import { tokenCount, isObject, objectOf, recordOf, textOf } from '../http/json-field.ts'
import type { Model } from '../../streams/models/model.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Notice } from './endpoint.ts'

/**
 * Emits the endpoint's models in its order and completes; unsubscribing closes the socket. Fails if nothing answers, or
 * if the answer is not of this kind.
 */
export function listRemoteModels(kind: RemoteKind, endpoint: JsonEndpoint): Observable<readonly RemoteModel[]> {
  return defer(() => lists[kind](endpoint))
}

/** Emits the model with further facts of the endpoint once and completes; fails if the endpoint does not answer. */
export function fetchRemoteModel(
  kind: RemoteKind,
  model: RemoteModel,
  endpoint: JsonEndpoint,
): Observable<RemoteModel> {
  if (kind === 'ollama') return defer(() => ollamaDetail(model, endpoint))
  return kind === 'llamacpp' ? defer(() => llamaDetail(model, endpoint)) : of(model)
}

/**
 * Emits the models with further facts, at the same time for the first `most` of them; a model whose facts are missing
 * stays as it is.
 */
export function fetchRemoteModels(
  models: readonly RemoteModel[],
  { kind, ...endpoint }: JsonEndpoint & { readonly kind: RemoteKind },
  most: number,
): Observable<readonly RemoteModel[]> {
  if (models.length === 0) return of(models)
  const fetched = models
    .slice(0, most)
    .map((model) => fetchRemoteModel(kind, model, endpoint).pipe(catchError(() => of(model))))
  return forkJoin(fetched).pipe(map((known) => [...known, ...models.slice(most)]))
}

const lists: Readonly<Record<RemoteKind, (endpoint: JsonEndpoint) => Observable<readonly RemoteModel[]>>> = {
  ollama: (endpoint) =>
    fetchJson('/api/tags', atRoot(endpoint)).pipe(
      map((answer) => listIn(answer, 'models', endpoint).map((each) => modelFromId(textOf(each['name'])))),
    ),
  lmstudio: (endpoint) =>
    fetchJson('/api/v0/models', atRoot(endpoint)).pipe(
      map((answer) => listIn(answer, 'data', endpoint).map(lmStudioModel)),
    ),
  vllm: (endpoint) => openAiList(endpoint, ({ max_model_len: length }) => tokenCount(length) > 0),
  llamacpp: (endpoint) => openAiList(endpoint, ({ owned_by: owner, meta }) => owner === 'llamacpp' || isObject(meta)),
  openai: (endpoint) => openAiList(endpoint, () => true),
}

type Entry = Readonly<Record<string, unknown>>

function openAiList(endpoint: JsonEndpoint, isExpected: (entry: Entry) => boolean): Observable<readonly RemoteModel[]> {
  return fetchJson('/models', endpoint).pipe(
    map((answer) => {
      const entries = listIn(answer, 'data', endpoint)
      if (entries.some((entry) => !isExpected(entry))) throw wrongServer(endpoint)
      return entries.map((entry) => ({
        ...modelFromId(textOf(entry['id'])),
        ...windowOf(entry['max_model_len']),
      }))
    }),
  )
}

function listIn(answer: unknown, field: string, endpoint: JsonEndpoint): readonly Entry[] {
  const list = recordOf(answer)[field]
  if (!Array.isArray(list)) throw wrongServer(endpoint)
  const entries = list.map(recordOf)
  return entries.filter((entry) => textOf(entry['id'] ?? entry['name']) !== '')
}

function wrongServer({ provider, baseUrl }: JsonEndpoint): Failure {
  const message = `The server at ${baseUrl} is not ${provider}, or lists its models in another format.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

function modelFromId(id: string): RemoteModel {
  return { id, ...(/embed|(^|[/-])(bge|gte|e5|minilm)[-_]/i.test(id) ? { embeds: true } : {}) }
}

function windowOf(length: unknown): Pick<RemoteModel, 'contextWindow'> {
  return tokenCount(length) === 0 ? {} : { contextWindow: tokenCount(length) }
}

/** The window of an unloaded model is an upper limit: the endpoint sets it on loading. */
function lmStudioModel(entry: Entry): RemoteModel {
  const { type, state, loaded_context_length: loaded, max_context_length: most } = entry
  const isLoaded = state === 'loaded' && tokenCount(loaded) > 0
  const capabilities = Array.isArray(entry['capabilities']) ? { tools: entry['capabilities'].includes('tool_use') } : {}
  return {
    ...modelFromId(textOf(entry['id'])),
    ...windowOf(isLoaded ? loaded : most),
    ...(isLoaded || tokenCount(most) === 0 ? {} : { windowMayBeLess: true }),
    ...(type === 'vlm' ? { images: true } : {}),
    ...(type === 'embeddings' ? { embeds: true } : capabilities),
  }
}

/** Returns the window of a loaded model; else the configured one, else the model's maximum. */
function ollamaDetail(model: RemoteModel, endpoint: JsonEndpoint): Observable<RemoteModel> {
  const root = atRoot(endpoint)
  const running$ = fetchJson('/api/ps', root).pipe(
    map((answer) => listIn(answer, 'models', endpoint)),
    catchError(() => of<readonly Entry[]>([])),
  )
  return forkJoin([fetchJson('/api/show', root, { model: model.id }), running$]).pipe(
    map(([shown, running]) => {
      const { model_info: info, parameters, capabilities } = recordOf(shown)
      const loaded = running.find((each) => each['name'] === model.id || each['model'] === model.id)
      const set =
        tokenCount(loaded?.['context_length']) || tokenCount(Number(/^num_ctx\s+(\d+)/m.exec(textOf(parameters))?.[1]))
      const [, most] = Object.entries(recordOf(info)).find(([name]) => name.endsWith('.context_length')) ?? []
      return {
        ...model,
        ...windowOf(set || most),
        ...(set === 0 && tokenCount(most) > 0 ? { windowMayBeLess: true } : {}),
        ...(Array.isArray(capabilities) ? readCapabilities(capabilities) : {}),
      }
    }),
  )
}

function readCapabilities(capabilities: readonly unknown[]): Partial<RemoteModel> {
  return {
    tools: capabilities.includes('tools'),
    images: capabilities.includes('vision'),
    reasoning: capabilities.includes('thinking'),
    ...(capabilities.includes('embedding') && !capabilities.includes('completion') ? { embeds: true } : {}),
  }
}

interface Props {
  readonly default_generation_settings?: unknown
  readonly modalities?: unknown
  readonly chat_template_caps?: unknown
}

function llamaDetail(model: RemoteModel, endpoint: JsonEndpoint): Observable<RemoteModel> {
  return fetchJson('/props', atRoot(endpoint)).pipe(
    map((answer) => {
      const {
        default_generation_settings: settings,
        modalities,
        chat_template_caps: template,
      } = objectOf<Props>(answer)
      const tools = recordOf(template)['supports_tools']
      return {
        ...model,
        ...windowOf(recordOf(settings)['n_ctx']),
        ...(recordOf(modalities)['vision'] === true ? { images: true } : {}),
        ...(typeof tools === 'boolean' ? { tools } : {}),
      }
    }),
  )
}

// A model of an endpoint; facts that the endpoint does not report are absent.

export interface RemoteModel {
  readonly id: string
  /** The window in tokens, if the endpoint reports one. */
  readonly contextWindow?: number
  /** True: `contextWindow` is the model's maximum; the endpoint may use less. */
  readonly windowMayBeLess?: boolean
  /** False: it takes no tools. */
  readonly tools?: boolean
  readonly images?: boolean
  readonly reasoning?: boolean
  /** True: it makes vectors, not answers. */
  readonly embeds?: boolean
}

/** The assumed window in tokens if an endpoint reports none. */
const assumedWindow = 8_192
/** With fewer, tools and their results soon fill it. */
const smallWindow = 16_384

/** Returns the model with the endpoint's facts in fields without a value, and notices about them. */
export function withRemoteFacts(
  model: Model,
  served: RemoteModel,
): { readonly model: Model; readonly notices: readonly Notice[] } {
  const { contextWindow = served.contextWindow ?? assumedWindow } = model
  const known: Model = {
    ...model,
    contextWindow,
    reasoning: model.reasoning || served.reasoning === true,
    inputs: served.images === true ? ['text', 'image'] : [...model.inputs],
  }
  const isConfigured = model.contextWindow !== undefined
  return {
    model: known,
    notices: [...windowNotices(known, isConfigured ? {} : served, isConfigured), ...toolNotices(known, served)],
  }
}

function windowNotices(
  model: Model,
  { contextWindow, windowMayBeLess }: Partial<RemoteModel>,
  isConfigured: boolean,
): Notice[] {
  const name = modelName(model)
  const window = (model.contextWindow ?? 0).toLocaleString('en')
  const notice = (code: string, message: string): Notice[] => [{ code, message }]
  if (!isConfigured && contextWindow === undefined) {
    return notice(
      'window_unknown',
      `${name} does not report its context window; rxpi assumes ${window} tokens. ${windowAdvice}`,
    )
  }
  if ((model.contextWindow ?? 0) < smallWindow) {
    return notice(
      'window_small',
      `${name} has a context window of ${window} tokens, which is small for work with tools. ${serverAdvice}`,
    )
  }
  if (windowMayBeLess !== true) return []
  return notice(
    'window_unsure',
    `${name} supports ${window} tokens, but its server may limit it to fewer. ${windowAdvice}`,
  )
}

const windowAdvice = 'Set contextWindow in models.json to its real size.'
const serverAdvice = 'Raise it in the server: for Ollama set OLLAMA_CONTEXT_LENGTH, for others see their settings.'

function toolNotices(model: Model, { tools, embeds }: RemoteModel): Notice[] {
  const name = modelName(model)
  if (embeds === true)
    return [{ code: 'model_embeds', message: `${name} makes embeddings and no answers: name another model.` }]
  if (tools !== false) return []
  const message = `${name} supports no tools: its server refuses or ignores them. Name another model, or use none with --tools ''.`
  return [{ code: 'model_without_tools', message }]
}
