// A Failure as events and answers carry it.
import type { FailureShape } from './event.ts'
import type { Failure } from './failure.ts'

/** Code, message and data; without `data` where there is none. */
export function failureShape({ code, message, data }: Failure): FailureShape {
  return { code, message, ...(Object.keys(data).length === 0 ? {} : { data: { ...data } }) }
}
