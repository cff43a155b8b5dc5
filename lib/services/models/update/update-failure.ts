// Words the failures of an update of the catalogue; `data.reason` classifies them for programs.
import { Failure } from '../../../streams/values/failure.ts'

/**
 * `offline`: no registry answers · `not_found`: it lacks the package · `npm`: npm failed otherwise · `integrity`: the
 * content is not what the registry names · `shape`: data that this rxpi cannot read · `older`: older than what is used.
 */
export type UpdateFault = 'offline' | 'not_found' | 'npm' | 'integrity' | 'shape' | 'older'

/** @param message without its last sentence: the data in use stays */
export function updateFailure(reason: UpdateFault, message: string, cause?: unknown): Failure {
  const text = `${message}; the data in use stays`
  return new Failure('bad_request', text, { data: { reason }, ...(cause === undefined ? {} : { cause }) })
}
