// Where no model is named one is found: the one that was chosen last, the first whose key is there, what runs on this machine, else the demo model.
import { catchError, concat, defaultIfEmpty, defer, map, of, switchMap, takeLast, takeUntil, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { demoModel } from '../offline/demo-answers.ts'
import { findLocalModel } from './find-local-model.ts'
import type { LocalSearch } from './find-local-model.ts'
import { localEndpoint } from '../endpoints/local-endpoint.ts'
import type { LocalEndpoint } from '../endpoints/local-endpoint.ts'
import { modelName } from '../../streams/models/model.ts'
import { resolveModel } from './resolve-model.ts'
import type { ResolvedModel, ResolveModelOptions } from './resolve-model.ts'
import { withServedFacts } from '../endpoints/remote-models.ts'
import type { ServedModel } from '../endpoints/remote-models.ts'
import { servedDetail, servedModels } from '../endpoints/remote-models.ts'

export interface ChooseModelOptions extends ResolveModelOptions, Pick<LocalSearch, 'ownersOf' | 'user'> {
  /** Milliseconds that endpoints on this machine have to say what they serve; 0: they are not asked. */
  readonly localMs: number
  /** The name that was chosen last; passed over where it cannot be had any more. @default none */
  readonly last?: string
}

/**
 * Emits once and completes; fails as `resolveModel` does. A local model is asked about, named or found, so that its window is
 * the one that it has; one that does not say gets 8,192 tokens, and that is told.
 */
export function chooseModel(options: ChooseModelOptions): Observable<ResolvedModel> {
  return defer(() => {
    if (options.name !== undefined) return asked(options, options)
    return lastChosen(options).pipe(
      switchMap((last) => (last === undefined ? resolveModel(options) : of(last))),
      switchMap((found) => (isDemo(found) && options.localMs > 0 ? orLocal(found, options) : of(found))),
    )
  })
}

function isDemo({ model }: ResolvedModel): boolean {
  return model.provider === demoModel.provider
}

/** A named model, with what its endpoint says of it. */
function asked(named: ResolveModelOptions, options: ChooseModelOptions): Observable<ResolvedModel> {
  return resolveModel(named).pipe(
    switchMap((found) =>
      served(found, options).pipe(map((facts) => (facts === undefined ? found : withFacts(found, facts)))),
    ),
  )
}

function withFacts(found: ResolvedModel, facts: ServedModel): ResolvedModel {
  const { model, notices } = withServedFacts(found.model, facts)
  return { ...found, model, notices: [...found.notices, ...notices] }
}

/** Undefined where nobody has to be asked, or nobody answers in time: the first request will say why. */
function served({ model }: ResolvedModel, options: ChooseModelOptions): Observable<ServedModel | undefined> {
  const endpoint = options.localMs > 0 ? localEndpoint(model.provider, options) : undefined
  // a gateway's names say nothing of windows
  if (endpoint === undefined || endpoint.kind === 'openai' || model.contextWindow !== undefined) return of(undefined)
  return servedOne(endpoint, model.id).pipe(
    takeUntil(timer(options.localMs)),
    takeLast(1),
    catchError(() => of(undefined)), // see above
    defaultIfEmpty(undefined),
  )
}

/** Ollama calls a model without a tag by the tag `latest`. */
function servedOne(endpoint: LocalEndpoint, id: string): Observable<ServedModel | undefined> {
  return servedModels(endpoint.kind, endpoint).pipe(
    map((models) => models.find((model) => model.id === id || model.id === `${id}:latest`)),
    switchMap((model) =>
      model === undefined ? of(undefined) : concat(of(model), servedDetail(endpoint.kind, model, endpoint)),
    ),
  )
}

/** Undefined where none was, or it cannot be had: its key is gone, its server is not there. */
function lastChosen(options: ChooseModelOptions): Observable<ResolvedModel | undefined> {
  const { last: name } = options
  if (name === undefined) return of(undefined)
  const message = `Using ${name}, which was chosen last; --model or /model takes another.`
  return resolveModel({ ...options, name }).pipe(
    switchMap((found) => {
      const said = { ...found, notices: [{ code: 'model_chosen', message }, ...found.notices] }
      if (localEndpoint(found.model.provider, options) === undefined || options.localMs === 0) return of(said)
      return served(found, options).pipe(
        map((facts) => (facts === undefined || facts.embeds === true ? undefined : withFacts(said, facts))),
      )
    }),
    catchError(() => of(undefined)), // see above
  )
}

function orLocal(demo: ResolvedModel, options: ChooseModelOptions): Observable<ResolvedModel> {
  return findLocalModel({ ...options, withinMs: options.localMs }).pipe(
    switchMap(({ found, notices }) => {
      if (found === undefined) return of({ ...demo, notices: [...demo.notices, ...notices] })
      const { endpoint, model } = found
      const name = modelName({ provider: endpoint.provider, id: model.id })
      const why = demo.notices.length === 0 ? 'no key is set' : 'no key names a model'
      const message = `Using ${name} at ${endpoint.baseUrl}, because ${why} and it runs here; --model or /model takes another.`
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
