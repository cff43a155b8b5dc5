// A tool's progress becomes an event with its place in the output; what is no progress becomes none.
import type { EventNamed } from '../../streams/events/event.ts'
import type { ToolProgress } from '../../streams/ports/tool.ts'
import { checkEvent } from '../../streams/validation/validators.ts'

/** For one call: counts what was emitted per `updateType`. Undefined for a value that is no progress (untyped code). */
export function progressEvents(
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
