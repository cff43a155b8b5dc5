// Finds the program of a server as its start does.
import { resolvePath } from '../../host/files/resolve-path.ts'
import { findProgram } from '../../host/process/find-program.ts'
import { Failure } from '../../streams/values/failure.ts'

/**
 * @param folder in which it starts, absolute
 * @param env of its process
 * @throws Failure `bad_config` if no folder of PATH has it
 */
export function programPath(command: string, folder: string, { PATH }: Readonly<Record<string, string>>): string {
  if (command.includes('/')) return resolvePath(command, folder)
  const found = findProgram(command, { searchPath: PATH, workspace: folder })
  if (found === undefined) throw new Failure('bad_config', `The program ${command} is not in a folder of PATH.`)
  return found
}
