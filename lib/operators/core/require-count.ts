// An option that is no count is refused when the operator is made, not in the middle of a run.
import { Failure } from '../../streams/values/failure.ts'

/** @throws Failure `bad_request` that names the option, unless `value` is absent or a whole number from 0 up */
export function requireCount(option: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return
  throw new Failure('bad_request', `${option} is ${value}; give a whole number, 0 or more`)
}
