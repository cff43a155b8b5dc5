// A Failure as events and answers carry it.
import type { FailureShape } from './event.ts'
import type { Failure } from '../values/failure.ts'
import { jsonProblem } from '../schema/json-problem.ts'

/** Code, message and data; without `data` where there is none, and of it without fields that cannot be JSON (users' code makes failures too). */
export function failureShape({ code, message, data }: Failure): FailureShape {
  const told = Object.entries(data).filter(([, value]) => jsonProblem(value) === undefined)
  return { code, message, ...(told.length === 0 ? {} : { data: Object.fromEntries(told) }) }
}
