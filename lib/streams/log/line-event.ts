// A line never repeats what another line of the same log has: content is written once, and large content beside the log.
import type { Blobs } from './blobs.ts'
import { externaliseContent } from './externalise-content.ts'
import type { AgentEvent, EventNamed } from '../events/event.ts'
import type { ToolResultMessage } from '../messages/message.ts'

/**
 * An in-process event as its log line holds it: `tool_execution_start` keeps `args` only where a hook changed them, a
 * toolResult's `message_end` leaves out what its `tool_execution_end` has, a `message_start` has empty content.
 * `foldSession` restores all of it; content that went to `blobs` is brought back by who needs it.
 * @throws Failure `storage` where content could not be kept aside
 */
export function lineEvent(event: AgentEvent, blobs?: Blobs): object {
  if (event.type === 'tool_execution_start') {
    const { args, argsChanged, ...rest } = event
    return argsChanged === true ? { ...rest, args } : rest
  }
  if (event.type === 'message_end' && event.message.role === 'toolResult') {
    const { content, details, isError, ...message } = event.message
    return { ...event, message }
  }
  return blobs === undefined ? event : externaliseContent(event, blobs)
}

/** What a numbered line holds before its `crc`. */
export interface LineParts {
  readonly seq: number
  readonly at: number
  readonly runId?: string | undefined
  readonly opId?: string | undefined
  readonly event: AgentEvent
}

/**
 * The JSON text of a numbered line without its closing brace: the log adds `,"crc":"…"}`.
 * @param blobs the log's: takes large content. Default: all of it stands on the line
 * @throws Failure `storage` where that could not be written
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

// A line's result message has no content of its own: its `tool_execution_end` has it, and here it is put back.

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
