// Finds the models of a session's extensions, beside those of models.json.
import { defer, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { noExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import type { ExtensionTheme, ExtensionUi } from '../../streams/commands/extension-ui-commands.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ModelsFile } from '../../streams/config/settings.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { renderEvent } from './render-event.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { ExtensionModels, Session } from '../contract/session.ts'

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

function extensionModels(set: ExtensionSet): ExtensionModels {
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
        const gone$ = throwError(() => new Failure('no_model', `The extension ${owner}, which offered ${modelName(found.model)}, was unloaded; choose another model`)) // prettier-ignore
        return { ...found, provider: (request) => defer(() => (ownerOf(found) === undefined ? gone$ : found.provider(request))) } // prettier-ignore
      }),
    )
}

/** What the extensions of a session offer to clients. */
export function offeredParts({
  extensions,
  packageThemes = [],
}: Pick<SessionParts, 'extensions' | 'packageThemes'>): Pick<
  Session,
  'surfaces' | 'extensionUi' | 'extensionModels' | 'renderEvent'
> {
  if (extensions === undefined) {
    return packageThemes.length === 0 ? {} : { extensionUi: () => withThemes(noExtensionUi, packageThemes) }
  }
  const { surfaces, ui } = extensions
  return {
    surfaces,
    extensionUi: () => withThemes(ui(), packageThemes),
    extensionModels: () => extensionModels(extensions),
    renderEvent: (event) => renderEvent(extensions, event),
  }
}

/** A theme of an extension precedes one of a package, and of two packages the first one. */
function withThemes(ui: ExtensionUi, more: readonly ExtensionTheme[]): ExtensionUi {
  const all = [...ui.themes, ...more]
  return { ...ui, themes: all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index) }
}
