// A log that is read says why it is not written: because a line is damaged, or for another reason.
import type { Failure } from '../../streams/values/failure.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'

/** Its damage, which ends its records before the file does; undefined where none was found so far. */
export function damageOf({ readOnly }: Pick<SessionLog, 'readOnly'>): Failure | undefined {
  return readOnly !== undefined && 'line' in readOnly.data ? readOnly : undefined
}
