// Makes the failure of a call that rxpi does not have of pi.
import { Failure } from '../../../streams/values/failure.ts'

/** The failure of a call that names pi's function. @param why what rxpi has instead, or why it cannot be */
export function unsupported(name: string, why: string): Failure {
  return new Failure('bad_request', `${name} of pi is not available in rxpi: ${why}`, { data: { name } })
}
