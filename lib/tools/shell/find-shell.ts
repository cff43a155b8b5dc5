// Finds the shell that runs the commands of a model.
import { findProgram } from '../../host/process/find-program.ts'
import { Failure } from '../../streams/values/failure.ts'

/** From the system, or the user's PATH: never from the workspace (docs/design/security.md#S16). */
export function findShell(searchPath: string | undefined, workspace: string): string | undefined {
  const search = { searchPath, workspace }
  return findProgram('bash', search) ?? findProgram('sh', search)
}

export function noShell(): Failure {
  return new Failure('internal', 'There is neither bash nor sh on this machine; commands cannot run.')
}
