// Parses the arguments of a tool call once, after they were streamed and concatenated.
import { describeJsonFault } from '../values/json-fault.ts'
import { isDeeperThan, isRecord } from '../values/json.ts'

/** The fields of a `toolcall_end`: the parsed object, or `{}` with the text that is not an object. */
export interface ParsedArguments {
  readonly arguments: Record<string, unknown>
  readonly argumentsText?: string
}

/** Levels of objects and arrays in arguments: validation, copies and the log's JSON recurse. */
export const maxArgumentDepth = 1_000

/** Why arguments that are nested more deeply are refused. */
export const tooDeepProblem = 'they are nested more than 1,000 levels deep'

/** Parses the whole text of a call's arguments. Empty text means no arguments. */
export function parseToolArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { arguments: {} }
  const parsed = argumentsProblem(text)
  return typeof parsed === 'string' ? { arguments: {}, argumentsText: text } : { arguments: parsed }
}

/** The object in the text, or the reason why there is none. */
export function argumentsProblem(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text)
    if (text.length > maxArgumentDepth && isDeeperThan(value, maxArgumentDepth)) return tooDeepProblem
    return isRecord(value)
      ? value
      : `expected a JSON object, got ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`
  } catch {
    return describeJsonFault(text)
  }
}
