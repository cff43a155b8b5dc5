// Finds the models of a session's extensions, beside those of models.json.
import { defer, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ExtensionModels } from '../contract/session.ts'

/** `models.json` with the endpoints of extensions; what the user wrote stays. */
export function withEndpoints(models: ModelsFile, set: ExtensionSet | undefined): ModelsFile {
  if (set === undefined || set.contributions.endpoints.entries.length === 0) return models
  return { ...models, providers: { ...endpointsOf(set), ...models.providers } }
}

function endpointsOf({ contributions: { endpoints } }: ExtensionSet): ModelsFile['providers'] {
  return Object.fromEntries(endpoints.entries.map(({ value: { name, entry } }) => [name, entry]))
}

/** A model that an extension registered under this name. */
export function modelOf({ contributions }: ExtensionSet, name: string): Observable<ProviderModel> | undefined {
  const found = contributions.models.entries.find(({ value }) => modelName(value.model) === name)
  return found && of(found.value)
}

/** The endpoints and models that extensions offer now. */
export function extensionModels(set: ExtensionSet): ExtensionModels {
  return { endpoints: endpointsOf(set), models: set.contributions.models.entries.map(({ value }) => value) }
}

/** A found model of an extension's endpoint answers while the extension offers it. */
export function guardModels(
  set: ExtensionSet,
): <Found extends ProviderModel>(found$: Observable<Found>) => Observable<Found> {
  const ownerOf = ({ model: { provider } }: ProviderModel): string | undefined =>
    set.contributions.endpoints.entries.find(({ value }) => value.name === provider)?.owner
  return (found$) =>
    found$.pipe(
      map((found) => {
        const owner = ownerOf(found)
        if (owner === undefined) return found
        const gone$ = throwError(() => unloadedFailure(owner, found))
        return {
          ...found,
          provider: (request) => defer(() => (ownerOf(found) === undefined ? gone$ : found.provider(request))),
        }
      }),
    )
}

function unloadedFailure(owner: string, { model }: ProviderModel): Failure {
  const message = `The extension ${owner}, which offered ${modelName(model)}, was unloaded; choose another model`
  return new Failure('no_model', message)
}
