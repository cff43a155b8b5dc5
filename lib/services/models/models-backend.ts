// Lists the models that the user's files and the client's environment make available.
import { defer, endWith, forkJoin, from, ignoreElements, map, mergeMap, takeUntil, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { listModels, loadWire, processKeyMemory, registeredProviders } from '../../providers/index.ts'
import type { ListModelsOptions } from '../../providers/index.ts'
import { catalogueFile } from '../../providers/catalogue/catalogue-file.ts'
import { pathRoles } from '../../session/roles/path-roles.ts'
import { roleChoice } from '../../session/roles/role-choice.ts'
import type { ListedRole } from '../../streams/commands/model-commands.ts'
import { modelRoles } from '../../streams/config/model-roles.ts'
import { localMsOf } from './configured-model.ts'
import type { UserConfiguration } from './configured-model.ts'
import type { ModelsBackend } from '../contract/server-backend.ts'
import type { ExtensionModels, Session } from '../../session/contract/session.ts'

/** A listing waits this many times longer for a local endpoint than a run does. */
const listingFactor = 3

/** @param configured the user's files, for a client with this environment @param home `$RXPI_HOME` */
export function createModelsBackend(
  configured: (env: Readonly<Record<string, string>>) => UserConfiguration,
  home: string,
): ModelsBackend {
  return {
    list: ({ cwd, env = {}, session: _, ...filter }, of) =>
      defer(() => {
        const { settings, models: written, authStorage, startEnv } = configured(env)
        const models = of === undefined ? written : { ...written, providers: { ...of.endpoints, ...written.providers } }
        const localMs = localMsOf(settings) * listingFactor
        const sources = { cwd, env, startEnv, models, authStorage, memory: processKeyMemory, localMs }
        return forkJoin([
          listModels({ ...filter, ...sources, catalogueFile: catalogueFile(home), ...registeredBy(of) }),
          listRoles(settings, cwd, env['HOME']),
        ]).pipe(map(([list, roles]) => ({ ...list, roles })))
      }),
    update: (command) =>
      defer(() => from(import('./update/update-models.ts'))).pipe(
        mergeMap(({ updateModels }) => updateModels(command, home)),
      ),
  }
}

function listRoles(
  settings: UserConfiguration['settings'],
  cwd: string,
  homeFolder: string | undefined,
): Observable<ListedRole[]> {
  return pathRoles({ models: settings.models, cwd, homeFolder }).pipe(
    map(({ folder }) =>
      modelRoles.flatMap((role) => {
        const choice = roleChoice(role, settings, folder)
        if (choice === undefined) return []
        const { name: model, fallbacks, ...rest } = choice
        return [{ ...rest, model, ...(fallbacks && { fallbacks: [...fallbacks] }) }]
      }),
    ),
  )
}

/** The models that extensions serve themselves, beside the registered providers of this process. */
function registeredBy(of: ExtensionModels | undefined): Pick<ListModelsOptions, 'registered'> {
  if (of === undefined || of.models.length === 0) return {}
  const registered = new Map(registeredProviders)
  for (const own of of.models) {
    const { provider: name } = own.model
    const models = [...(registered.get(name)?.models ?? []), own.model]
    registered.set(name, { name, defaultModel: undefined, models, open: () => own })
  }
  return { registered }
}

/** Milliseconds after the opening: a program that prompts at once has loaded its modules by then. */
const preloadDelayMs = 300

/**
 * Loads the modules of the model's API before the first request, while a person types. Loads nothing for a session that
 * is closed before.
 * @param load gets the model's `api`. Default: `loadWire`
 */
export function preloadModel(session: Pick<Session, 'model' | 'events$'>, load = loadWire): void {
  const closed$ = session.events$.pipe(ignoreElements(), endWith(undefined))
  timer(preloadDelayMs)
    .pipe(
      mergeMap(() => load(session.model.api)),
      takeUntil(closed$),
    )
    .subscribe()
}
