// Finds the models of a program's session by name.
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionSet } from '../../extensions/index.ts'
import { resolveModel } from '../../providers/index.ts'
import type { ResolveModelOptions } from '../../providers/index.ts'
import { resolveWithoutFacts } from '../../providers/resolve/resolve-model.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { modelOf, withEndpoints } from '../extensions/extension-models.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import { checkUsage } from './initial-model.ts'
import type { ModelSources } from './read-configuration.ts'
import { namedChoice, withChoice } from '../roles/role-choice.ts'
import type { ModelChoiceByName } from '../roles/role-choice.ts'
import { sessionRoles } from '../roles/session-roles.ts'

interface FinderSources extends ModelSources {
  readonly cwd: string
  readonly settings: Settings
  readonly fetch: typeof globalThis.fetch
  /** Set once the extensions are set up. */
  readonly opened: { readonly extensions?: ExtensionSet | undefined }
}

/** Finds models by name: those of the program's registry, of its extensions, then those that are configured. */
export function modelFinder({ modelRegistry }: CreateSessionOptions, { opened, settings, ...sources }: FinderSources) {
  const findChoice$ = (choice: ModelChoiceByName): Observable<ProviderModel> =>
    findNamed$(choice).pipe(map((found) => withChoice(found, choice)))
  const find$ = (name: string | undefined): Observable<ProviderModel> => findChoice$(namedChoice(name, settings).choice)
  return {
    /** By name or role; undefined: the usual model. @throws Failure `bad_request` for an unknown role */
    find$,
    /** The same at once, without the facts of the catalogue; undefined for a name that only the registry knows. */
    findNow: (name: string | undefined): ProviderModel | undefined => {
      const { choice } = namedChoice(name, settings)
      if (choice.name !== undefined && modelRegistry !== undefined) return undefined
      return withChoice(resolveWithoutFacts(sourcesOf(choice)), choice)
    },
    /** The parts of the session that find its models. */
    parts: {
      resolveModel: find$,
      roles: sessionRoles({ settings, cwd: sources.cwd, homeFolder: sources.env['HOME'], find: findChoice$ }),
    },
  }
  function findNamed$(choice: ModelChoiceByName): Observable<ProviderModel> {
    const { name } = choice
    if (name !== undefined && modelRegistry !== undefined)
      return defer(() => modelRegistry.resolve(name)).pipe(map(checkUsage))
    const { extensions } = opened
    const own$ = name === undefined || extensions === undefined ? undefined : modelOf(extensions, name)
    if (own$ !== undefined) return own$
    return resolveModel(sourcesOf(choice)).pipe(map(({ notices, ...found }) => found))
  }
  function sourcesOf({ name, fallbacks: ownFallbacks }: ModelChoiceByName): ResolveModelOptions {
    const models = withEndpoints(sources.models, opened.extensions)
    const fallbacks = settings.fallbacks ?? []
    return { ...sources, models, fallbacks, ownFallbacks, ...(name === undefined ? {} : { name }) }
  }
}
