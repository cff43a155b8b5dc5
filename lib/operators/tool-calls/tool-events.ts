// Makes the events of a tool call from the values of its tool.
// Guarantees: every event fits a log line, whatever the tool or its hooks return.
import type { EventNamed } from '../../streams/events/event.ts'
import { errorResult } from '../../streams/ports/tool.ts'
import type { ToolProgress, ToolResult } from '../../streams/ports/tool.ts'
import { checkEvent } from '../../streams/validation/validators.ts'
import { findJsonProblem } from '../../streams/values/json.ts'

/**
 * The event that ends a call, run or not. A result from untyped code may lack its content: it counts as empty
 * (docs/loop.md#9). A result that no line can hold (content of another shape, details that are not JSON) becomes an
 * error result that says so.
 */
export function createToolEnd(call: EndedCall, result: Partial<ToolResult>, durationMs: number): ToolEnd {
  const end = endOf(call, result, durationMs)
  const problem = problemOf(end)
  if (problem === undefined) return end
  return endOf(call, errorResult(`${call.name} returned a result that cannot be stored: ${problem}.`), durationMs)
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

/**
 * Makes a call's progress into events with their offset in the output. Returns undefined for a value that is not
 * progress.
 */
export function createProgressEvents(
  toolCallId: string,
): (value: unknown) => EventNamed<'tool_execution_update'> | undefined {
  const lengths = new Map<string, number>()
  return (value) => {
    if (!isProgress(value)) return undefined
    const { updateType, content, offset = lengths.get(updateType) ?? 0, progressPercent } = value
    const event = {
      type: 'tool_execution_update',
      toolCallId,
      updateType,
      content,
      offset,
      ...(progressPercent === undefined ? {} : { progressPercent }),
    } as const
    if (!checkEvent(event).ok) return undefined
    lengths.set(updateType, offset + content.length)
    return event
  }
}

function isProgress(value: unknown): value is ToolProgress {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'progress'
}
