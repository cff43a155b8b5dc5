// A line's result message has no content of its own: its `tool_execution_end` has it, and here it is put back.
import type { EventNamed } from '../events/event.ts'
import type { ToolResultMessage } from '../messages/message.ts'

/** A result as it was before its line left things out. @param end the one of its call; what the line has itself is kept where there is none */
export function restoreResult(
  message: ToolResultMessage,
  end: EventNamed<'tool_execution_end'> | undefined,
): ToolResultMessage {
  const line: Partial<ToolResultMessage> = message
  if (line.content !== undefined || end === undefined)
    return { ...message, content: line.content ?? [], isError: line.isError ?? false }
  const details = end.details === undefined ? {} : { details: end.details }
  return { ...message, content: end.content, isError: end.isError, ...details }
}
