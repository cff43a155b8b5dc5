// Limits that no timer and no budget can keep are refused before anything is started with them.
import { Failure } from '../../streams/values/failure.ts'
import type { RunLimits } from '../../streams/config/settings.ts'
import { checkRunLimits } from '../../streams/validation/validators.ts'

/** @throws Failure `bad_request` naming the limit */
export function checkLimits(limits: RunLimits | undefined): void {
  if (limits === undefined) return
  const checked = checkRunLimits(limits)
  if (!checked.ok) throw new Failure('bad_request', `The run's limits cannot be kept: ${checked.problem}`)
}
