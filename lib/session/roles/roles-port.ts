// Declares how an open session finds the models of roles.
import type { Observable } from 'rxjs'
import type { ModelRole } from '../../streams/config/model-roles.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { RoleChoice } from './role-choice.ts'

/** The models of roles, as the settings had them when the session was opened. */
export interface SessionRoles {
  /**
   * Emits once: the choice of a role, or undefined if no setting names one.
   * @param file the file of a run whose globs count too
   */
  choice(role: ModelRole, file?: string): Observable<RoleChoice | undefined>
  /** The name of the role's model at present: without those of folders until the globs are loaded. */
  nameOf(role: ModelRole): string | undefined
  /** Emits once: the choice for a file alone, or undefined. */
  choiceOfFile(role: ModelRole, file: string): Observable<RoleChoice | undefined>
  /** Finds the model: emits once, or fails with a Failure. */
  find(choice: RoleChoice): Observable<ProviderModel>
}
