// Where no key is set, what runs on this machine is looked for; it is used unasked only where it is this user's or the system's (docs/design/security.md#S12).
import {
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  forkJoin,
  map,
  of,
  switchMap,
  takeLast,
  takeUntil,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { listenerOwners } from '../../host/process/listener-owners.ts'
import { localEndpoints } from '../endpoints/local-endpoint.ts'
import type { LocalEndpoint, LocalSources } from '../endpoints/local-endpoint.ts'
import type { Notice } from '../endpoints/endpoint.ts'
import type { ServedModel } from '../endpoints/remote-models.ts'
import { servedDetail, servedModels } from '../endpoints/remote-models.ts'

export interface LocalSearch extends LocalSources {
  /** Milliseconds that all of them have together; they are asked at the same time. */
  readonly withinMs: number
  /** Who listens on a port; @default what the kernel says */
  readonly ownersOf?: (port: number) => readonly number[] | undefined
  /** @default this process's */
  readonly user?: number
}

export interface LocalFinding {
  /** What may be used unasked; absent: nothing. */
  readonly found?: { readonly endpoint: LocalEndpoint; readonly model: ServedModel }
  /** Of what is there and was not taken. */
  readonly notices: readonly Notice[]
}

/**
 * Emits once, after `withinMs` at the latest, and completes; fails with `bad_config` where models.json says an address that is
 * none. The first endpoint in the presets' order counts.
 */
export function findLocalModel(search: LocalSearch): Observable<LocalFinding> {
  return defer(() => {
    const listened = localEndpoints(search).flatMap((endpoint) => withOwner(endpoint, search))
    if (listened.length === 0) return of({ notices: [] })
    return forkJoin(listened.map((each) => looked(each, search.withinMs))).pipe(map(chosen))
  })
}

interface Listened {
  readonly endpoint: LocalEndpoint
  readonly isTrusted: boolean
  /** Why not. */
  readonly owner: string
}

/** Nothing where nobody listens, which saves asking. */
function withOwner(endpoint: LocalEndpoint, search: LocalSearch): Listened[] {
  const { ownersOf = listenerOwners, user = process.getuid?.() } = search
  const owners = ownersOf(endpoint.port)
  const stranger = { endpoint: withoutHeaders(endpoint), isTrusted: false }
  if (owners === undefined) return [{ ...stranger, owner: 'this system does not say who runs it' }]
  if (owners.length === 0) return []
  const others = owners.filter((owner) => owner !== user && !isSystem(owner))
  if (others.length > 0) return [{ ...stranger, owner: `user ${others.join(', ')} runs it` }]
  return [{ endpoint, isTrusted: true, owner: 'it is ours' }]
}

/** Those of models.json may hold a key: whoever took the port is not told it unasked. */
function withoutHeaders({ headers: _, ...endpoint }: LocalEndpoint): LocalEndpoint {
  return endpoint
}

/** Accounts below 1,000 are those of services; nobody's (65534) is anybody's. */
function isSystem(user: number): boolean {
  return user < 1_000
}

interface Looked extends Listened {
  /** Those that can be asked for answers, with what is known of them; none where it does not answer, or is something else. */
  readonly models: readonly ServedModel[]
}

/** How many are asked about, where a list says names alone. */
const most = 8

/** What is known when the time is over counts. */
function looked(listened: Listened, withinMs: number): Observable<Looked> {
  const { endpoint } = listened
  return servedModels(endpoint.kind, endpoint).pipe(
    map((models) => models.filter(({ embeds }) => embeds !== true).slice(0, most)),
    switchMap((models) => concat(of(models), detailed(models, endpoint))),
    takeUntil(timer(withinMs)),
    takeLast(1),
    catchError(() => of<readonly ServedModel[]>([])), // nobody there, or somebody else: nothing to say of it
    defaultIfEmpty<readonly ServedModel[], readonly ServedModel[]>([]),
    map((models) => ({ ...listened, models: models.filter(({ embeds }) => embeds !== true) })),
  )
}

function detailed(models: readonly ServedModel[], endpoint: LocalEndpoint): Observable<readonly ServedModel[]> {
  return forkJoin(models.map((model) => servedDetail(endpoint.kind, model, endpoint).pipe(catchError(() => of(model)))))
}

function chosen(all: readonly Looked[]): LocalFinding {
  const notices: Notice[] = []
  for (const { endpoint, isTrusted, owner, models } of all) {
    const [model] = models.filter(({ tools }) => tools !== false)
    if (model !== undefined && isTrusted) return { found: { endpoint, model }, notices }
    if (model !== undefined) notices.push(offered(endpoint, model, owner))
    else if (models[0] !== undefined) notices.push(withoutTools(endpoint, models[0]))
  }
  return { notices }
}

function offered({ provider, baseUrl }: LocalEndpoint, { id }: ServedModel, owner: string): Notice {
  const message = `${provider} answers at ${baseUrl}, but ${owner}, so that it is not used unasked: --model ${provider}/${id} takes it.`
  return { code: 'model_offered', message }
}

function withoutTools({ provider, baseUrl }: LocalEndpoint, { id }: ServedModel): Notice {
  const message = `${provider} answers at ${baseUrl}, but ${id} takes no tools, and neither does what else it serves: --model ${provider}/${id} --tools '' takes it.`
  return { code: 'model_without_tools', message }
}
