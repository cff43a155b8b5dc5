// Finds the models that an open session is given later: by a name, by a role, or by the settings.
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Configuration } from '../../store/index.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { SessionParts } from '../../session/contract/session-parts.ts'
import type { ModelChoiceByName } from '../../session/roles/role-choice.ts'
import { sessionRoles } from '../../session/roles/session-roles.ts'
import { searchModel, sessionModel } from '../models/configured-model.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import type { Fields } from '../contract/server-backend.ts'

export interface LaterModelSources {
  readonly setup: Omit<Fields<'new_session'>, 'store' | 'title'>
  /** Reads the user's files again. */
  readonly again: () => UserConfiguration
  readonly initial: SessionState | undefined
  readonly settings: Configuration['settings']
}

/** The parts that find a model by its name, by a role, or by the settings. */
export function laterModels({
  setup,
  again,
  initial,
  settings,
}: LaterModelSources): Pick<SessionParts, 'resolveModel' | 'chooseModel' | 'roles'> {
  const { cwd, env = {} } = setup
  const find$ = (choice: ModelChoiceByName): Observable<ProviderModel> =>
    defer(() => searchModel(choice, { cwd, env }, again())).pipe(map(({ notices: _, ...found }) => found))
  return {
    roles: sessionRoles({ settings, cwd, homeFolder: env['HOME'], find: find$ }),
    resolveModel: (name) =>
      defer(() => sessionModel({ model: name, cwd, env }, again(), undefined)).pipe(map(toProviderModel)),
    chooseModel: () =>
      defer(() => sessionModel({ ...setup, requireModel: true }, again(), initial?.model)).pipe(map(toProviderModel)),
  }
}

function toProviderModel({ notices: _, source: __, unusable: ___, ...found }: ConfiguredModel): ProviderModel {
  return found
}
