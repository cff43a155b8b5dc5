// Converts events to log lines and back.
// Guarantees: no line repeats what another line of the same log holds.
import type { Blobs } from './blobs.ts'
import { externaliseContent } from './externalise-content.ts'
import type { AgentEvent, EventNamed } from '../events/event.ts'
import type { ToolResultMessage } from '../messages/message.ts'

/**
 * An in-process event as its log line has it: `tool_execution_start` keeps `args` only if a hook changed them or
 * the call came through `use_tool`, a toolResult's `message_end` omits what its `tool_execution_end` holds, a
 * `message_start` has empty content. `foldSession` restores all of it; `loadContent` restores content in `blobs`.
 * @throws Failure `storage` if content could not be stored
 */
export function lineEvent(event: AgentEvent, blobs?: Blobs): object {
  if (event.type === 'tool_execution_start') {
    const { args, argsChanged, ...rest } = event
    return argsChanged === true || rest.via !== undefined ? { ...rest, args } : rest
  }
  if (event.type === 'message_end' && event.message.role === 'toolResult') {
    const { content, details, isError, ...message } = event.message
    return { ...event, message }
  }
  return blobs === undefined ? event : externaliseContent(event, blobs)
}

/** The fields of a numbered line before its `crc`. */
export interface LineParts {
  readonly seq: number
  readonly at: number
  readonly runId?: string | undefined
  readonly opId?: string | undefined
  readonly event: AgentEvent
}

/**
 * The JSON text of a numbered line without its closing brace: the log adds `,"crc":"…"}`.
 * @param blobs the log's blobs for large content. Default: all content stays on the line
 * @throws Failure `storage` if a blob could not be written
 */
export function lineBody({ seq, at, runId, opId, event }: LineParts, blobs?: Blobs): string {
  const run = runId === undefined ? '' : `,"runId":"${runId}"`
  const operation = opId === undefined ? '' : `,"opId":${JSON.stringify(opId)}`
  return `{"seq":${seq},"at":${at}${run}${operation},"event":${JSON.stringify(lineEvent(event, blobs))}`
}

/** The JSON text of any other line (header, checkpoint) without its closing brace. */
export function openBody(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}

/**
 * Restores a result message from its `tool_execution_end`. @param end that event of the same call; without it the
 * line's own content counts
 */
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
