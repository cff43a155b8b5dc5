// Unwraps calls of use_tool, the constant tool for tools that a session's requests do not list.
import { isRecord } from '../values/json.ts'
import type { AssistantContent, ToolCall } from './message.ts'
import { parseToolArguments } from './parse-tool-arguments.ts'

/** The name of the constant tool. */
export const useToolName = 'use_tool'

/** The name of the tool that finds tools which requests leave out; `source` of its `tool_set_change`. */
export const searchToolsName = 'search_tools'

/** A call as it is run. */
export interface InnerCall extends ToolCall {
  /** The tool that the model called in its place. */
  readonly via?: string
}

/**
 * The call that a call of `use_tool` asks for, under the same id; any other call, or one without the name of a tool, is
 * returned itself. Unwraps once. `arguments` may be JSON text, as some models send it; missing arguments are none.
 */
export function innerCall(call: ToolCall): InnerCall {
  if (call.name !== useToolName || call.argumentsText !== undefined) return call
  const { name, arguments: args = {} } = call.arguments
  if (typeof name !== 'string' || name === '') return call
  if (isRecord(args)) return { ...call, name, arguments: args, via: useToolName }
  return typeof args === 'string' ? { ...call, name, ...parseToolArguments(args), via: useToolName } : call
}

/** The calls of an answer, as they are run. */
export function innerCalls(content: readonly AssistantContent[]): InnerCall[] {
  return content.flatMap((block) => (block.type === 'toolCall' ? [innerCall(block)] : []))
}
