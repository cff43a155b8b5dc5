// Finds the model of a session among those of its extensions, if there is no other.
import { catchError, defer, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { guardModels, modelOf, withEndpoints } from '../../session/extensions/extension-models.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'

/** The configuration with the endpoints of extensions. */
export function withExtensionModels(
  configuration: UserConfiguration,
  extensions: OpenedExtensions | undefined,
): UserConfiguration {
  return { ...configuration, models: withEndpoints(configuration.models, extensions?.set) }
}

/** A model, or why it was not found. */
export type FoundModel = { readonly found: ConfiguredModel } | { readonly failure: Failure }

/** Never fails: an extension may offer the model. */
export function findEarly(model$: Observable<ConfiguredModel>): Observable<FoundModel> {
  return model$.pipe(
    map((found) => ({ found })),
    catchError((error: unknown) => of({ failure: Failure.from(error) })),
  )
}

/** Emits the model, or that of an extension if there was none. Fails as the first search did. */
export function findLate(
  early: FoundModel,
  extensions: OpenedExtensions | undefined,
  name: string | undefined,
  search: () => Observable<ConfiguredModel>,
): Observable<ConfiguredModel> {
  const isFound = 'found' in early && early.found.unusable === undefined
  const first$ = 'found' in early ? of(early.found) : throwError(() => early.failure)
  if (isFound || extensions === undefined || name === undefined) return first$
  const { set } = extensions
  const own$ = modelOf(set, name)?.pipe(map((own): ConfiguredModel => ({ ...own, notices: [], source: 'session' })))
  if (own$ !== undefined) return own$
  return set.contributions.endpoints.entries.length === 0 ? first$ : defer(search).pipe(guardModels(set))
}
