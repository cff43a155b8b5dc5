// Finds the model that a session of a program begins with, in the call itself.
import type { Observable } from 'rxjs'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { standInModel, toNoModel } from './stand-in-model.ts'
import type { InitialModel } from './stand-in-model.ts'

export interface ModelNames {
  /** The program's. */
  readonly options: { readonly model?: string | ProviderModel }
  /** The session's log. */
  readonly initial: { readonly model?: string }
  readonly settings: { readonly model?: string }
}

/**
 * Returns a stand-in if the logged model is not usable, or if no model is named and none is usable: the session can be
 * read. A name of the program or of the settings has to be right.
 * @throws Failure `bad_request`, `bad_config`, `provider_error`
 */
export function initialModel(
  find$: (name: string | undefined) => Observable<ProviderModel>,
  { options: { model: own }, initial: { model: logged }, settings }: ModelNames,
): InitialModel {
  if (typeof own === 'object') return own
  try {
    return resolveNow(find$(own ?? logged ?? settings.model))
  } catch (thrown) {
    const isReadable = logged !== undefined || Failure.from(thrown).code === 'no_model'
    if (own !== undefined || !isReadable) throw thrown
    return standInModel(toNoModel(thrown, logged), logged)
  }
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
