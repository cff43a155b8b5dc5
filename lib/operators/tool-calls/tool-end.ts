// A call ends with what a log line can hold, whatever its tool or hooks gave.
import type { EventNamed } from '../../streams/events/event.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { checkEvent } from '../../streams/validation/validators.ts'
import { findJsonProblem } from '../../streams/values/json.ts'

/**
 * The event that ends a call, run or not. A result from untyped code may lack its content: it counts as empty (docs/loop.md#9). One
 * that no line can hold — content of another shape, details that are not JSON — becomes an error result that says so.
 */
export function toolEnd(call: EndedCall, result: Partial<ToolResult>, durationMs: number): ToolEnd {
  const end = endOf(call, result, durationMs)
  const problem = problemOf(end)
  if (problem === undefined) return end
  return endOf(call, errorResult(`${call.name} gave a result that cannot be kept: ${problem}.`), durationMs)
}

type ToolEnd = EventNamed<'tool_execution_end'>
type EndedCall = { readonly id: string; readonly name: string }

function endOf(
  { id, name }: EndedCall,
  { content = [], details, isError = false, terminate }: Partial<ToolResult>,
  durationMs: number,
): ToolEnd {
  return {
    type: 'tool_execution_end',
    toolCallId: id,
    toolName: name,
    isError,
    content,
    ...(details === undefined ? {} : { details }),
    ...(terminate === true ? { terminate } : {}),
    durationMs: Math.max(0, durationMs), // the system's clock may have been set back
  }
}

function problemOf(end: ToolEnd): string | undefined {
  const checked = checkEvent(end)
  if (!checked.ok) return checked.problem
  const problem = end.details === undefined ? undefined : findJsonProblem(end.details)
  return problem === undefined ? undefined : `/details: ${problem}`
}
