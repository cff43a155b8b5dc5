// Turns what crosses the border of a worker into plain data, and failures back into Failures.
import { Failure, failureShape, failureTable } from '../../../streams/values/failure.ts'
import type { FailureCode, FailureFields } from '../../../streams/values/failure.ts'
import { isRecord } from '../../../streams/values/json.ts'

export function failureFields(thrown: unknown): FailureFields {
  return JSON.parse(JSON.stringify(failureShape(Failure.from(thrown)))) as FailureFields // its data is JSON
}

/** The failure of the other side; anything else is `internal`. */
export function failureOf({ code, message, data = {} }: FailureFields): Failure {
  const known: FailureCode = Object.hasOwn(failureTable, code) ? code : 'internal'
  return new Failure(known, message, { data })
}

/** The failure of a value that has a function, a symbol or a stream in it. */
export function notPlain(what: string, thrown: unknown): Failure {
  const reason = Failure.from(thrown).message
  return new Failure('bad_request', `${what} cannot cross the border of the worker: ${reason} It has to be plain data`)
}

/** A copy without the functions of an object, such as the methods of a tool; what is inside of its fields stays. */
export function withoutMethods(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field !== 'function'))
}

/** The input of a hook without the methods of its tools. */
export function plainInput(input: unknown): unknown {
  if (!isRecord(input)) return input
  const { tool, tools } = input
  return {
    ...input,
    ...(isRecord(tool) ? { tool: withoutMethods(tool) } : {}),
    ...(Array.isArray(tools)
      ? { tools: tools.map((each: unknown) => (isRecord(each) ? withoutMethods(each) : each)) }
      : {}),
  }
}
