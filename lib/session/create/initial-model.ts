// Finds the model that a session opens with, or a stand-in; holds it until its facts are loaded.
import { ReplaySubject, defer, share, switchMap, take, tap, throwError, throwIfEmpty, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RequestSettings } from '../../operators/ports/run-ports.ts'
import { withPossibleUsage } from '../../providers/index.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { readNow } from '../../streams/rx/read-now.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Model } from '../../streams/models/model.ts'
import type { SessionParts } from '../contract/session-parts.ts'

export interface ModelNames {
  /** The program's. */
  readonly options: { readonly model?: string | ProviderModel }
  /** The session's log. */
  readonly initial: { readonly model?: string }
}

/** How a session finds its models. */
export interface InitialFinder {
  find$(name: string | undefined): Observable<ProviderModel>
  /** The model without facts that have to be loaded; undefined: only `find$` knows the name. */
  findNow(name: string | undefined): ProviderModel | undefined
}

/**
 * Returns a stand-in if the logged model is not usable, or if no model is named and none is usable: the session can be
 * read. A name of the program or of the settings has to be right. A model whose facts have to be loaded is returned
 * without them.
 * @throws Failure `bad_request`, `bad_config`, `provider_error`
 */
export function initialModel(
  { find$, findNow }: InitialFinder,
  { options: { model: own }, initial: { model: logged } }: ModelNames,
): InitialModel {
  if (typeof own === 'object') return checkUsage(own)
  const name = own ?? logged
  try {
    return resolveNow(find$(name)) ?? withoutFacts(name, findNow(name), find$)
  } catch (thrown) {
    const isReadable = logged !== undefined || Failure.from(thrown).code === 'no_model'
    if (own !== undefined || !isReadable) throw thrown
    return standInModel(toNoModel(thrown, logged), logged)
  }
}

/** For a registry of the program that may never answer. */
const withinMs = 30_000

/** Its requests wait for the facts. */
function withoutFacts(name = '', found: ProviderModel | undefined, find$: InitialFinder['find$']): InitialModel {
  const later$ = defer(() => find$(name === '' ? undefined : name)).pipe(
    throwIfEmpty(() => new Failure('bad_request', `The model registry found no model "${name}"`)),
    timeout({
      first: withinMs,
      with: () =>
        throwError(() => new Failure('no_model', `The model ${name} was not found within ${withinMs / 1_000} s`)),
    }),
    take(1),
  )
  const provider: ProviderModel['provider'] = (request) =>
    later$.pipe(switchMap((whole) => whole.provider({ ...request, model: whole.model })))
  return { ...found, model: found?.model ?? nameOnly(name), provider, later$ }
}

/** A model of the program, of which an impossible usage counts as unknown, as it does for those that rxpi resolves. */
export function checkUsage({ fallbacks, ...own }: ProviderModel): ProviderModel {
  const checked = { ...own, provider: withPossibleUsage(own.provider) }
  return fallbacks === undefined ? checked : { ...checked, fallbacks: fallbacks.map(checkUsage) }
}

/** Undefined if the model is not found in the call itself. */
function resolveNow(model$: Observable<ProviderModel>): ProviderModel | undefined {
  try {
    return readNow(model$)
  } catch (error) {
    throw Failure.from(error)
  }
}

/** The model of a session that is opened. */
export interface InitialModel extends ProviderModel {
  /** The `no_model` failure of a stand-in: no request can succeed. Absent: the model can be used. */
  readonly unusable?: Failure
  /** Emits the model with its facts, which have to be loaded; a failure may be gone next time. Absent: it has them. */
  readonly later$?: Observable<ProviderModel>
}

type OtherSettings = Omit<RequestSettings, keyof ProviderModel> & Pick<RequestSettings, 'thinkingLevel'>

/** The settings that a session is opened with: the same until the facts of its model are loaded. Loads nothing by itself. */
export function openingModel(
  { later$, unusable, ...early }: InitialModel,
  others: OtherSettings,
): Pick<SessionParts, 'settings' | 'pendingModel'> {
  let settings: RequestSettings = { ...early, ...others }
  if (later$ === undefined) return { settings: () => settings }
  let isWhole = false
  const load$ = defer(() => later$).pipe(
    tap((whole) => {
      settings = { ...whole, ...others }
      isWhole = true
    }),
    share({ connector: () => new ReplaySubject(1) }),
  )
  return { settings: () => settings, pendingModel: () => (isWhole ? undefined : load$) }
}

/** @param name the `provider/id` that cannot be used. Default: none is known */
export function standInModel(unusable: Failure, name = 'none/none'): InitialModel {
  return { model: nameOnly(name), provider: () => throwError(() => unusable), unusable }
}

function nameOnly(name: string): Model {
  const slash = name.indexOf('/')
  const [provider, id] = slash < 1 ? [name, 'none'] : [name.slice(0, slash), name.slice(slash + 1)]
  return { id: id || 'none', provider: provider || 'none', api: 'none', inputs: ['text'], reasoning: false }
}

/** Converts the failure of a choice to `no_model`. @param whose the source of the name, such as `of RXPI_MODEL` */
export function toNoModel(thrown: unknown, name?: string, whose = 'of this session'): Failure {
  const failure = Failure.from(thrown)
  if (failure.code === 'no_model' || name === undefined) return withCode(failure, failure.message)
  const message = `The model ${name} ${whose} cannot answer: ${failure.message} Another one: --model or /model.`
  return withCode(failure, message)
}

function withCode(failure: Failure, message: string): Failure {
  return new Failure('no_model', message, { cause: failure, data: failure.code === 'no_model' ? failure.data : {} })
}
