// A line never repeats what another line of the same log has: content is written once, and large content beside the log.
import type { Blobs } from './blobs.ts'
import { contentAside } from './content-aside.ts'
import type { AgentEvent } from '../events/event.ts'

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
  return blobs === undefined ? event : contentAside(event, blobs)
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
