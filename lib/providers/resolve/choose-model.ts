// Chooses a model if none is named: the last, one of models.json, a local one, else one with a key.
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  map,
  of,
  switchMap,
  takeLast,
  takeUntil,
  throwError,
  timer,
  forkJoin,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { localEndpoint, localEndpoints } from '../endpoints/local-endpoint.ts'
import type { LocalEndpoint, LocalSources } from '../endpoints/local-endpoint.ts'
import { Failure } from '../../streams/values/failure.ts'
import { modelName } from '../../streams/models/model.ts'
import { findConfiguredModel, strangeOwner } from './configured-provider.ts'
import type { PortOwners } from './configured-provider.ts'
import { resolveModel } from './resolve-model.ts'
import { addReasons, choiceNotice, firstOfModelsFile } from './unnamed-choice.ts'
import type { ResolvedModel, ResolveModelOptions } from './resolve-model.ts'
import { withRemoteFacts, fetchRemoteModel, fetchRemoteModels, listRemoteModels } from '../endpoints/remote-models.ts'
import type { RemoteModel } from '../endpoints/remote-models.ts'
import { processKeyMemory } from '../keys/key-memory.ts'
import type { Notice } from '../endpoints/endpoint.ts'

export interface ChooseModelOptions extends ResolveModelOptions, PortOwners {
  /** Milliseconds for the endpoints on this machine to list their models; 0: no search. */
  readonly localMs: number
  /** The name of the last choice; ignored if it is not available any more. @default none */
  readonly last?: string
}

/**
 * Emits once and completes; fails as `resolveModel` does. The endpoint of a local model reports its window. If it
 * reports none, the window is 8,192 tokens, with a notice.
 */
export function chooseModel(options: ChooseModelOptions): Observable<ResolvedModel> {
  return defer(() => {
    if (options.name !== undefined) return resolveNamed(options, options)
    return resolveLast(options).pipe(
      switchMap((last) => (last === undefined ? resolveConfigured(options) : of(last))),
      switchMap((found) => (found === undefined ? resolveLocal(options) : of(found))),
    )
  })
}

/** Emits undefined if models.json lists no usable model. */
function resolveConfigured(options: ChooseModelOptions): Observable<ResolvedModel | undefined> {
  const { cwd = process.cwd(), memory = processKeyMemory } = options
  const { model: name } = findConfiguredModel({ ...options, cwd, memory })
  if (name === undefined) return of(undefined)
  return resolveNamed({ ...options, name }, options).pipe(
    map((found) => ({ ...found, notices: [choiceNotice(name, firstOfModelsFile), ...found.notices] })),
  )
}

/** Resolves a named model and adds the facts of its endpoint. */
function resolveNamed(named: ResolveModelOptions, options: ChooseModelOptions): Observable<ResolvedModel> {
  return resolveModel(named).pipe(
    switchMap((found) =>
      fetchServedFacts(found, options).pipe(map((facts) => (facts === undefined ? found : withFacts(found, facts)))),
    ),
  )
}

function withFacts(found: ResolvedModel, facts: RemoteModel): ResolvedModel {
  const { model, notices } = withRemoteFacts(found.model, facts)
  return { ...found, model, notices: [...found.notices, ...notices] }
}

/** Emits undefined if no endpoint knows more, or none answers in time: the first request reports the reason. */
function fetchServedFacts({ model }: ResolvedModel, options: ChooseModelOptions): Observable<RemoteModel | undefined> {
  const endpoint = options.localMs > 0 ? localEndpoint(model.provider, options) : undefined
  // a gateway lists names without windows
  if (endpoint === undefined || endpoint.kind === 'openai' || model.contextWindow !== undefined) return of(undefined)
  return findServedModel(endpoint, model.id).pipe(
    takeUntil(timer(options.localMs)),
    takeLast(1),
    catchError(() => of(undefined)), // see above
    defaultIfEmpty(undefined),
  )
}

/** Ollama uses the tag `latest` for a model without a tag. */
function findServedModel(endpoint: LocalEndpoint, id: string): Observable<RemoteModel | undefined> {
  return listRemoteModels(endpoint.kind, endpoint).pipe(
    map((models) => models.find((model) => model.id === id || model.id === `${id}:latest`)),
    switchMap((model) =>
      model === undefined ? of(undefined) : concat(of(model), fetchRemoteModel(endpoint.kind, model, endpoint)),
    ),
  )
}

/** Emits undefined if there is no last choice, or it is not available: its key or its server is gone. */
function resolveLast(options: ChooseModelOptions): Observable<ResolvedModel | undefined> {
  const { last: name } = options
  if (name === undefined) return of(undefined)
  return resolveModel({ ...options, name }).pipe(
    switchMap((found) => {
      const chosen = { ...found, notices: [choiceNotice(name, 'it was chosen last'), ...found.notices] }
      if (localEndpoint(found.model.provider, options) === undefined || options.localMs === 0) return of(chosen)
      return fetchServedFacts(found, options).pipe(
        map((facts) => (facts === undefined || facts.embeds === true ? undefined : withFacts(chosen, facts))),
      )
    }),
    catchError(() => of(undefined)), // see above
  )
}

/**
 * Chooses a model of this machine, else the vendor with a key; the reason why a local model is left out is printed only
 * without a key.
 */
function resolveLocal(options: ChooseModelOptions): Observable<ResolvedModel> {
  if (options.localMs === 0) return resolveModel(options)
  return findLocalModel({ ...options, withinMs: options.localMs }).pipe(
    switchMap(({ found, notices }) => {
      if (found === undefined)
        return resolveModel(options).pipe(
          catchError((error: unknown) => throwError(() => addReasons(Failure.from(error), notices))),
        )
      const { endpoint, model } = found
      const name = modelName({ provider: endpoint.provider, id: model.id })
      const chosen = choiceNotice(`${name} at ${endpoint.baseUrl}`, 'it runs here')
      return resolveModel({ ...options, name }).pipe(
        map((resolved) => withFacts({ ...resolved, notices: [chosen, ...resolved.notices, ...notices] }, model)),
      )
    }),
  )
}

// rxpi searches this machine before it uses a key. It uses a model server unasked only if the server belongs to this
// user or the system (docs/design/security.md#S12).

interface LocalSearch extends LocalSources, PortOwners {
  /** Milliseconds for all endpoints together; the requests run at the same time. */
  readonly withinMs: number
}

interface LocalFinding {
  /** The model that may be used unasked, if any. */
  readonly found?: { readonly endpoint: LocalEndpoint; readonly model: RemoteModel }
  /** Notices about servers that rxpi did not use. */
  readonly notices: readonly Notice[]
}

/**
 * Emits once, after `withinMs` at the latest, and completes; fails with `bad_config` for an invalid address in
 * models.json. The first endpoint in the order of presets counts.
 */
function findLocalModel(search: LocalSearch): Observable<LocalFinding> {
  return defer(() => {
    const servers = localEndpoints(search).flatMap((endpoint) => withOwner(endpoint, search))
    if (servers.length === 0) return of({ notices: [] })
    return forkJoin(servers.map((server) => listServer(server, search.withinMs))).pipe(map(chooseServer))
  })
}

interface RunningServer {
  readonly endpoint: LocalEndpoint
  readonly isTrusted: boolean
  /** The reason against it. */
  readonly owner: string
}

/** Returns nothing if no process listens, which saves a request. */
function withOwner(endpoint: LocalEndpoint, search: LocalSearch): RunningServer[] {
  const owner = strangeOwner(endpoint.port, search)
  if (owner === '') return []
  if (owner === undefined) return [{ endpoint, isTrusted: true, owner: 'it is ours' }]
  return [{ endpoint: withoutHeaders(endpoint), isTrusted: false, owner }]
}

/** Sends no headers of models.json, which may contain a key: any process could own the port. */
function withoutHeaders({ headers: _, ...endpoint }: LocalEndpoint): LocalEndpoint {
  return endpoint
}

interface ListedServer extends RunningServer {
  /** The models that can answer, with their facts; none if the endpoint does not answer or is of another kind. */
  readonly models: readonly RemoteModel[]
}

/** The number of models whose details are fetched, if a list has names only. */
const maxDetails = 8

/** Emits the facts that are known when the time is over. */
function listServer(server: RunningServer, withinMs: number): Observable<ListedServer> {
  const { endpoint } = server
  return listRemoteModels(endpoint.kind, endpoint).pipe(
    map((models) => models.filter(({ embeds }) => embeds !== true).slice(0, maxDetails)),
    switchMap((models) => concat(of(models), fetchRemoteModels(models, endpoint, maxDetails))),
    takeUntil(timer(withinMs)),
    takeLast(1),
    catchError(() => of<readonly RemoteModel[]>([])), // no server, or one of another kind: it has no models
    defaultIfEmpty<readonly RemoteModel[], readonly RemoteModel[]>([]),
    map((models) => ({ ...server, models: models.filter(({ embeds }) => embeds !== true) })),
  )
}

function chooseServer(all: readonly ListedServer[]): LocalFinding {
  const notices: Notice[] = []
  for (const { endpoint, isTrusted, owner, models } of all) {
    const [model] = models.filter(({ tools }) => tools !== false)
    if (model !== undefined && isTrusted) return { found: { endpoint, model }, notices }
    if (model !== undefined) notices.push(offerNotice(endpoint, model, owner))
    else if (models[0] !== undefined) notices.push(noToolsNotice(endpoint, models[0]))
  }
  return { notices }
}

function offerNotice({ provider, baseUrl }: LocalEndpoint, { id }: RemoteModel, owner: string): Notice {
  const message = `${provider} answers at ${baseUrl}, but ${owner}, so rxpi does not use it by itself: use --model ${provider}/${id} for it.`
  return { code: 'model_offered', message }
}

function noToolsNotice({ provider, baseUrl }: LocalEndpoint, { id }: RemoteModel): Notice {
  const message = `${provider} answers at ${baseUrl}, but neither ${id} nor its other models support tools: use --model ${provider}/${id} --tools '' for it.`
  return { code: 'model_without_tools', message }
}
