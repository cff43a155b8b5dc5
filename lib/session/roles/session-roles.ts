// Finds the models of roles for an open session: by the settings, its folder and the files of a run.
import { defer, map, shareReplay, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Settings } from '../../streams/config/settings.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { pathRoles } from './path-roles.ts'
import type { PathRoles, PathRolesOptions } from './path-roles.ts'
import { roleChoice, withChoice } from './role-choice.ts'
import type { RoleChoice } from './role-choice.ts'
import type { SessionRoles } from './roles-port.ts'

export interface SessionRolesOptions extends Pick<PathRolesOptions, 'cwd' | 'homeFolder'> {
  readonly settings: Pick<Settings, 'model' | 'models'>
  /** Finds a model by name and fallbacks. */
  find(choice: RoleChoice): Observable<ProviderModel>
}

/** Undefined if the settings name no roles. */
export function sessionRoles({ settings, find, ...folder }: SessionRolesOptions): SessionRoles | undefined {
  const { models } = settings
  if (models === undefined) return undefined
  let loaded: PathRoles | undefined
  const paths$ = pathRoles({ ...folder, models }).pipe(
    tap((paths) => (loaded = paths)),
    shareReplay({ bufferSize: 1, refCount: false }),
  )
  return {
    choice: (role, file) =>
      paths$.pipe(
        map((paths) => {
          const scoped = file === undefined ? paths.folder : [...paths.folder, ...paths.ofFile(file)]
          return roleChoice(role, settings, scoped)
        }),
      ),
    nameOf: (role) => roleChoice(role, settings, loaded?.folder)?.name,
    choiceOfFile: (role, file) => paths$.pipe(map((paths) => roleChoice(role, {}, paths.ofFile(file)))),
    find: (choice) => defer(() => find(choice)).pipe(map((found) => withChoice(found, choice))),
  }
}
