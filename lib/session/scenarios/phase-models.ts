// Finds the model of a phase: the one that it names, that of its role, or the session's own.
import { concatMap, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ModelRole } from '../../streams/config/model-roles.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { endsWithPlan } from '../../streams/ports/scenarios.ts'
import type { ScenarioPhase } from '../../streams/ports/scenarios.ts'
import { roleNamed } from '../roles/role-choice.ts'
import type { SessionRoles } from '../roles/roles-port.ts'

/** The model that a phase is entered with, found: the one that it names, or the session's own. */
export interface PhaseModel {
  readonly model?: ProviderModel
  /** Why the session does not get its own model back, or the model of a role. */
  readonly warning?: AgentEvent
}

export interface PhaseModelsOptions {
  readonly roles?: SessionRoles | undefined
  /** The session's own model. */
  readonly own$: Observable<PhaseModel>
  findModel(name: string): Observable<ProviderModel>
}

export interface PhaseModels {
  /** Fails as the search of a named model does. */
  find(phase: ScenarioPhase): Observable<PhaseModel>
  /** The name of the phase's model; undefined: the session's own. */
  nameOf(phase: ScenarioPhase): string | undefined
}

export function phaseModels({ roles, own$, findModel }: PhaseModelsOptions): PhaseModels {
  const named$ = (name: string): Observable<PhaseModel> => findModel(name).pipe(map((model) => ({ model })))
  const undefined$ = (role: ModelRole): Observable<PhaseModel> =>
    own$.pipe(map((own) => ({ ...own, warning: own.warning ?? undefinedRole(role) })))
  return {
    find: (phase) =>
      defer(() => {
        const { model } = phase
        const role = roleOf(phase)
        if (role === undefined) return model === undefined ? own$ : named$(model)
        return (roles?.choice(role) ?? of(undefined)).pipe(
          concatMap((choice) => {
            if (choice !== undefined && roles !== undefined)
              return roles.find(choice).pipe(map((found) => ({ model: found })))
            return model === undefined ? own$ : undefined$(role)
          }),
        )
      }),
    nameOf: (phase) => {
      const role = roleOf(phase)
      return role === undefined ? phase.model : roles?.nameOf(role)
    },
  }
}

/** The role that the phase names, or has because it ends with a plan. @throws Failure `bad_request` for an unknown role */
function roleOf(phase: ScenarioPhase): ModelRole | undefined {
  if (phase.model !== undefined) return roleNamed(phase.model)
  return endsWithPlan(phase) ? 'plan' : undefined
}

function undefinedRole(role: ModelRole): AgentEvent {
  const message = `The phase asks for the role @${role}, which has no model (setting models.${role}); the session's own model is used`
  return { type: 'warning', code: 'role_undefined', message, recoverable: true }
}
