// Finds the first model of a session, or a stand-in whose requests fail with `no_model`.
import { throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { withPossibleUsage } from '../../providers/index.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Model } from '../../streams/models/model.ts'

export interface ModelNames {
  /** The program's. */
  readonly options: { readonly model?: string | ProviderModel }
  /** The session's log. */
  readonly initial: { readonly model?: string }
}

/**
 * Returns a stand-in if the logged model is not usable, or if no model is named and none is usable: the session can be
 * read. A name of the program or of the settings has to be right.
 * @throws Failure `bad_request`, `bad_config`, `provider_error`
 */
export function initialModel(
  find$: (name: string | undefined) => Observable<ProviderModel>,
  { options: { model: own }, initial: { model: logged } }: ModelNames,
): InitialModel {
  if (typeof own === 'object') return checkUsage(own)
  try {
    return resolveNow(find$(own ?? logged))
  } catch (thrown) {
    const isReadable = logged !== undefined || Failure.from(thrown).code === 'no_model'
    if (own !== undefined || !isReadable) throw thrown
    return standInModel(toNoModel(thrown, logged), logged)
  }
}

/** A model of the program, of which an impossible usage counts as unknown, as it does for those that rxpi resolves. */
export function checkUsage({ fallbacks, ...own }: ProviderModel): ProviderModel {
  const checked = { ...own, provider: withPossibleUsage(own.provider) }
  return fallbacks === undefined ? checked : { ...checked, fallbacks: fallbacks.map(checkUsage) }
}

/** The model of a session is resolved in the call itself. */
function resolveNow(model$: Observable<ProviderModel>): ProviderModel {
  let found: ProviderModel | undefined
  let failure: unknown = new Failure(
    'bad_request',
    'The model registry did not return the model at once; pass the model itself instead of its name',
  )
  model$.subscribe({
    next: (model) => {
      found = model
    },
    error: (error: unknown) => {
      failure = error
    },
  })
  if (found === undefined) throw Failure.from(failure)
  return found
}

/** The model of a session that is opened. */
export interface InitialModel extends ProviderModel {
  /** The `no_model` failure of a stand-in: no request can succeed. Absent: the model can be used. */
  readonly unusable?: Failure
}

/** @param name the `provider/id` that cannot be used. Default: none is known */
export function standInModel(unusable: Failure, name = 'none/none'): InitialModel {
  const slash = name.indexOf('/')
  const [provider, id] = slash < 1 ? [name, 'none'] : [name.slice(0, slash), name.slice(slash + 1)]
  const model: Model = {
    id: id || 'none',
    provider: provider || 'none',
    api: 'none',
    inputs: ['text'],
    reasoning: false,
  }
  return { model, provider: () => throwError(() => unusable), unusable }
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
