// Tool arguments are concatenated while they stream and parsed once, here.
import { describeThrown } from '../values/failure.ts'
import { isRecord } from '../values/json.ts'

/** What a `toolcall_end` says: the parsed object, or `{}` together with the text that is none. */
export interface ParsedArguments {
  readonly arguments: Record<string, unknown>
  readonly argumentsText?: string
}

/** Parses the whole text of a call's arguments. Empty text is a call without arguments. */
export function parseToolArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { arguments: {} }
  const parsed = argumentsProblem(text)
  return typeof parsed === 'string' ? { arguments: {}, argumentsText: text } : { arguments: parsed }
}

/** The object that the text holds, or in words why it holds none. */
export function argumentsProblem(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value)
      ? value
      : `expected a JSON object, got ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`
  } catch (error) {
    return describeThrown(error)
  }
}
