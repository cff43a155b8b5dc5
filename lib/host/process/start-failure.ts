// Why a program could not be started, with what to do about it: the system's own message names the program even where the folder is missing.
import { accessSync, constants, statSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'
import { errnoOf } from '../files/storage-failure.ts'
import { reasonOf } from '../../streams/values/reason-of.ts'

/** A Failure for what `spawn` threw or emitted: `overloaded` where it may work later, else `bad_request`. */
export function startFailure(program: string, cwd: string, thrown: unknown): Failure {
  const errno = errnoOf(thrown)
  const reason = reasonOf(thrown)
  if (errno === 'E2BIG') {
    const advice = 'write it to a file and run that, and keep the environment small'
    return new Failure('bad_request', `The command is too long for this system; ${advice}`, { cause: thrown })
  }
  if (errno !== undefined && passing.has(errno)) {
    const message = `Could not start ${program}: ${reason}; end some programs and try again`
    return new Failure('overloaded', message, { cause: thrown })
  }
  const folderFault = faultOf(cwd)
  if (folderFault !== undefined) {
    const message = `Could not start ${program}: its working folder ${cwd} ${folderFault}`
    return new Failure('bad_request', message, { cause: thrown })
  }
  return new Failure('bad_request', `Could not start ${program}: ${reason}`, { cause: thrown })
}

const passing: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'])

/** Why nothing can work in a folder; undefined where that is not the fault. */
function faultOf(folder: string): string | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return 'is not there'
    accessSync(folder, constants.X_OK)
    return undefined
  } catch (error) {
    return `cannot be entered (${errnoOf(error) ?? String(error)})`
  }
}
