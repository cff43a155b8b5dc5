// Chooses a model if none is named: the last one, one with a key, a local one, else the demo model.
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
  timer,
  forkJoin,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { demoModel } from '../offline/demo-answers.ts'
import { localEndpoint, localEndpoints } from '../endpoints/local-endpoint.ts'
import type { LocalEndpoint, LocalSources } from '../endpoints/local-endpoint.ts'
import { modelName } from '../../streams/models/model.ts'
import { resolveModel } from './resolve-model.ts'
import type { ResolvedModel, ResolveModelOptions } from './resolve-model.ts'
import { withRemoteFacts, fetchRemoteModel, fetchRemoteModels, listRemoteModels } from '../endpoints/remote-models.ts'
import type { RemoteModel } from '../endpoints/remote-models.ts'
import { listenerOwners } from '../../host/process/listener-owners.ts'
import type { Notice } from '../endpoints/endpoint.ts'

export interface ChooseModelOptions extends ResolveModelOptions, Pick<LocalSearch, 'ownersOf' | 'user'> {
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
      switchMap((last) => (last === undefined ? resolveModel(options) : of(last))),
      switchMap((found) => (isDemo(found) && options.localMs > 0 ? preferLocal(found, options) : of(found))),
    )
  })
}

function isDemo({ model }: ResolvedModel): boolean {
  return model.provider === demoModel.provider
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
  const message = `Using ${name}, which was chosen last; use --model or /model for another.`
  return resolveModel({ ...options, name }).pipe(
    switchMap((found) => {
      const chosen = { ...found, notices: [{ code: 'model_chosen', message }, ...found.notices] }
      if (localEndpoint(found.model.provider, options) === undefined || options.localMs === 0) return of(chosen)
      return fetchServedFacts(found, options).pipe(
        map((facts) => (facts === undefined || facts.embeds === true ? undefined : withFacts(chosen, facts))),
      )
    }),
    catchError(() => of(undefined)), // see above
  )
}

function preferLocal(demo: ResolvedModel, options: ChooseModelOptions): Observable<ResolvedModel> {
  return findLocalModel({ ...options, withinMs: options.localMs }).pipe(
    switchMap(({ found, notices }) => {
      if (found === undefined) return of({ ...demo, notices: [...demo.notices, ...notices] })
      const { endpoint, model } = found
      const name = modelName({ provider: endpoint.provider, id: model.id })
      const why = demo.notices.length === 0 ? 'no key is set' : 'no key names a model'
      const message = `Using ${name} at ${endpoint.baseUrl}, because ${why} and it runs here; use --model or /model for another.`
      return resolveModel({ ...options, name }).pipe(
        map((resolved) =>
          withFacts(
            {
              ...resolved,
              notices: [{ code: 'model_chosen', message }, ...demo.notices, ...resolved.notices, ...notices],
            },
            model,
          ),
        ),
      )
    }),
  )
}

// If no key is set, rxpi searches this machine. It uses a model server unasked only if the server belongs to this user
// or the system (docs/design/security.md#S12).

interface LocalSearch extends LocalSources {
  /** Milliseconds for all endpoints together; they are asked at the same time. */
  readonly withinMs: number
  /** Returns the owners of a port's listeners. @default the kernel's table */
  readonly ownersOf?: (port: number) => readonly number[] | undefined
  /** @default the user of this process */
  readonly user?: number
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
  const { ownersOf = listenerOwners, user = process.getuid?.() } = search
  const owners = ownersOf(endpoint.port)
  const stranger = { endpoint: withoutHeaders(endpoint), isTrusted: false }
  if (owners === undefined) return [{ ...stranger, owner: 'this system does not report its owner' }]
  if (owners.length === 0) return []
  const others = owners.filter((owner) => owner !== user && !isSystem(owner))
  if (others.length > 0) return [{ ...stranger, owner: `user ${others.join(', ')} runs it` }]
  return [{ endpoint, isTrusted: true, owner: 'it is ours' }]
}

/** Sends no headers of models.json, which may contain a key: any process could own the port. */
function withoutHeaders({ headers: _, ...endpoint }: LocalEndpoint): LocalEndpoint {
  return endpoint
}

/** Accounts below 1,000 belong to services; 65534 (`nobody`) may belong to any program. */
function isSystem(user: number): boolean {
  return user < 1_000
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
