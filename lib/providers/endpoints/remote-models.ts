// What an endpoint serves is asked for in the way of its kind; that it answers at all does not make it one of that kind.
import { catchError, defer, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { askEndpoint, atRoot } from '../http/fetch-json.ts'
import type { Asking } from '../http/fetch-json.ts'
import type { ServedKind } from './preset.ts'
import { countOf, isObject, objectOf, recordOf, textOf } from '../http/json-field.ts'
import type { Model } from '../../streams/models/model.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Notice } from './endpoint.ts'

/**
 * Emits what an endpoint serves, in its order, and completes; unsubscribing closes the socket. Fails where nobody answers,
 * or somebody who is not of this kind.
 */
export function servedModels(kind: ServedKind, asking: Asking): Observable<readonly ServedModel[]> {
  return defer(() => lists[kind](asking))
}

/** Emits the model with what more the endpoint says of it, once, and completes; fails where it says nothing. */
export function servedDetail(kind: ServedKind, model: ServedModel, asking: Asking): Observable<ServedModel> {
  if (kind === 'ollama') return defer(() => ollamaDetail(model, asking))
  return kind === 'llamacpp' ? defer(() => llamaDetail(model, asking)) : of(model)
}

const lists: Readonly<Record<ServedKind, (asking: Asking) => Observable<readonly ServedModel[]>>> = {
  ollama: (asking) =>
    askEndpoint('/api/tags', atRoot(asking)).pipe(
      map((answer) => listIn(answer, 'models', asking).map((each) => nameOnly(textOf(each['name'])))),
    ),
  lmstudio: (asking) =>
    askEndpoint('/api/v0/models', atRoot(asking)).pipe(
      map((answer) => listIn(answer, 'data', asking).map(lmStudioModel)),
    ),
  vllm: (asking) => openAiList(asking, ({ max_model_len: length }) => countOf(length) > 0),
  llamacpp: (asking) => openAiList(asking, ({ owned_by: owner, meta }) => owner === 'llamacpp' || isObject(meta)),
  openai: (asking) => openAiList(asking, () => true),
}

type Entry = Readonly<Record<string, unknown>>

function openAiList(asking: Asking, isOne: (entry: Entry) => boolean): Observable<readonly ServedModel[]> {
  return askEndpoint('/models', asking).pipe(
    map((answer) => {
      const entries = listIn(answer, 'data', asking)
      if (entries.some((entry) => !isOne(entry))) throw notOne(asking)
      return entries.map((entry) => ({
        ...nameOnly(textOf(entry['id'])),
        ...windowOf(entry['max_model_len']),
      }))
    }),
  )
}

function listIn(answer: unknown, field: string, asking: Asking): readonly Entry[] {
  const list = recordOf(answer)[field]
  if (!Array.isArray(list)) throw notOne(asking)
  const entries = list.map(recordOf)
  return entries.filter((entry) => textOf(entry['id'] ?? entry['name']) !== '')
}

function notOne({ provider, baseUrl }: Asking): Failure {
  const message = `What answers at ${baseUrl} is not ${provider}, or says what it serves in another way.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

function nameOnly(id: string): ServedModel {
  return { id, ...(/embed|(^|[/-])(bge|gte|e5|minilm)[-_]/i.test(id) ? { embeds: true } : {}) }
}

function windowOf(length: unknown): Pick<ServedModel, 'contextWindow'> {
  return countOf(length) === 0 ? {} : { contextWindow: countOf(length) }
}

/** A model that is not loaded gets at most what it can take; how much, is decided when it is. */
function lmStudioModel(entry: Entry): ServedModel {
  const { type, state, loaded_context_length: loaded, max_context_length: most } = entry
  const isLoaded = state === 'loaded' && countOf(loaded) > 0
  const capabilities = Array.isArray(entry['capabilities']) ? { tools: entry['capabilities'].includes('tool_use') } : {}
  return {
    ...nameOnly(textOf(entry['id'])),
    ...windowOf(isLoaded ? loaded : most),
    ...(isLoaded || countOf(most) === 0 ? {} : { windowMayBeLess: true }),
    ...(type === 'vlm' ? { images: true } : {}),
    ...(type === 'embeddings' ? { embeds: true } : capabilities),
  }
}

/** What is loaded now says its window; what is not, the number that was set for it, else what the model can take at most. */
function ollamaDetail(model: ServedModel, asking: Asking): Observable<ServedModel> {
  const root = atRoot(asking)
  const running$ = askEndpoint('/api/ps', root).pipe(
    map((answer) => listIn(answer, 'models', asking)),
    catchError(() => of<readonly Entry[]>([])),
  )
  return forkJoin([askEndpoint('/api/show', root, { model: model.id }), running$]).pipe(
    map(([shown, running]) => {
      const { model_info: info, parameters, capabilities } = recordOf(shown)
      const loaded = running.find((each) => each['name'] === model.id || each['model'] === model.id)
      const set =
        countOf(loaded?.['context_length']) || countOf(Number(/^num_ctx\s+(\d+)/m.exec(textOf(parameters))?.[1]))
      const [, most] = Object.entries(recordOf(info)).find(([name]) => name.endsWith('.context_length')) ?? []
      return {
        ...model,
        ...windowOf(set || most),
        ...(set === 0 && countOf(most) > 0 ? { windowMayBeLess: true } : {}),
        ...(Array.isArray(capabilities) ? capable(capabilities) : {}),
      }
    }),
  )
}

function capable(capabilities: readonly unknown[]): Partial<ServedModel> {
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

function llamaDetail(model: ServedModel, asking: Asking): Observable<ServedModel> {
  return askEndpoint('/props', atRoot(asking)).pipe(
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

// What an endpoint says of a model that it serves; what it does not say is absent.

export interface ServedModel {
  readonly id: string
  /** Tokens that the endpoint gives it, as far as it says. */
  readonly contextWindow?: number
  /** True: `contextWindow` is what the model could take; the endpoint may give it less. */
  readonly windowMayBeLess?: boolean
  /** False: it takes no tools. */
  readonly tools?: boolean
  readonly images?: boolean
  readonly reasoning?: boolean
  /** True: it makes vectors, not answers. */
  readonly embeds?: boolean
}

// What an endpoint says of a model becomes what a run goes by: nothing is taken for larger than was said.

/** Tokens of window that are assumed where an endpoint does not say. */
const assumedWindow = 8_192
/** With fewer, tools and their results soon fill it. */
const comfortable = 16_384

/** The model with what its endpoint says of it, where nobody else has; and what people should know of that. */
export function withServedFacts(
  model: Model,
  served: ServedModel,
): { readonly model: Model; readonly notices: readonly Notice[] } {
  const { contextWindow = served.contextWindow ?? assumedWindow } = model
  const known: Model = {
    ...model,
    contextWindow,
    reasoning: model.reasoning || served.reasoning === true,
    inputs: served.images === true ? ['text', 'image'] : [...model.inputs],
  }
  const isTold = model.contextWindow !== undefined
  return {
    model: known,
    notices: [...windowNotices(known, isTold ? {} : served, isTold), ...toolNotices(known, served)],
  }
}

function windowNotices(
  model: Model,
  { contextWindow, windowMayBeLess }: Partial<ServedModel>,
  isTold: boolean,
): Notice[] {
  const name = modelName(model)
  const window = (model.contextWindow ?? 0).toLocaleString('en')
  const notice = (code: string, message: string): Notice[] => [{ code, message }]
  if (!isTold && contextWindow === undefined) {
    return notice(
      'window_unknown',
      `${name} does not say how large its window is: ${window} tokens are assumed. ${howToSay}`,
    )
  }
  if ((model.contextWindow ?? 0) < comfortable) {
    return notice(
      'window_small',
      `${name} has a window of ${window} tokens, which is little for work with tools. ${howToRaise}`,
    )
  }
  if (windowMayBeLess !== true) return []
  return notice('window_unsure', `${name} can take ${window} tokens, but its server may give it fewer. ${howToSay}`)
}

const howToSay = 'contextWindow in models.json says it.'
const howToRaise = 'The server decides that: for Ollama OLLAMA_CONTEXT_LENGTH, elsewhere a setting of its own.'

function toolNotices(model: Model, { tools, embeds }: ServedModel): Notice[] {
  const name = modelName(model)
  if (embeds === true)
    return [{ code: 'model_embeds', message: `${name} makes vectors and gives no answers: name another model.` }]
  if (tools !== false) return []
  const message = `${name} takes no tools: its server refuses them or leaves them out. Name another model, or ask without: --tools ''.`
  return [{ code: 'model_without_tools', message }]
}
