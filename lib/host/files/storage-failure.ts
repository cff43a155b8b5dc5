// Converts a file system error to a Failure `storage` with the act, the file and the system's code.
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { systemErrno } from '../../streams/values/system-error.ts'

/**
 * Failure `storage` for a thrown system error, `overloaded` if too many files are open; a Failure is returned
 * unchanged. `data.errno` holds the system's code (`ENOSPC`, `EEXIST` …).
 * @param act the attempted act, as in `write to /path`
 */
export function storageFailure(act: string, thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  const errno = errnoOf(thrown)
  if (errno === 'EMFILE' || errno === 'ENFILE') return outOfDescriptors(act, errno, thrown)
  const reason = describeThrown(thrown)
  const advice = errno === undefined ? undefined : adviceFor[errno]
  return new Failure('storage', `Could not ${act}: ${reason}${advice === undefined ? '' : `; ${advice}`}`, {
    data: errno === undefined ? {} : { errno },
    cause: thrown,
  })
}

function outOfDescriptors(act: string, errno: string, cause: unknown): Failure {
  const message = `Could not ${act}: too many files are open; close some sessions, or start rxpi with a higher limit (ulimit -n)`
  return new Failure('overloaded', message, { data: { errno }, cause })
}

/** The system's code of a thrown error, from itself or from the Failure made of it. */
export function errnoOf(thrown: unknown): string | undefined {
  if (thrown instanceof Failure) return typeof thrown.data['errno'] === 'string' ? thrown.data['errno'] : undefined
  return systemErrno(thrown)
}

const adviceFor: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'free some space and try again',
  EDQUOT: 'free some of the quota and try again',
  EROFS: 'set RXPI_HOME to a folder that can be written',
  EACCES: 'check its owner and mode, or set RXPI_HOME to a folder of yours',
  EPERM: 'check its owner and mode, or set RXPI_HOME to a folder of yours',
}
