// A line never repeats what another line of the same log has: content is written once.
import type { AgentEvent } from './event.ts'

/**
 * An in-process event as its log line holds it: `tool_execution_start` keeps `args` only where a hook changed them, a
 * toolResult's `message_end` leaves out what its `tool_execution_end` has, a `message_start` has empty content.
 * `foldSession` restores all of it.
 */
export function lineEvent(event: AgentEvent): object {
  switch (event.type) {
    case 'tool_execution_start': {
      const { args, argsChanged, ...rest } = event
      return argsChanged === true ? { ...rest, args } : rest
    }
    case 'message_end': {
      if (event.message.role !== 'toolResult') return event
      const { content, details, isError, ...message } = event.message
      return { ...event, message }
    }
    default:
      return event
  }
}

/** What a numbered line holds before its `crc`. */
export interface LineParts {
  readonly seq: number
  readonly at: number
  readonly runId?: string | undefined
  readonly opId?: string | undefined
  readonly event: AgentEvent
}

/** The JSON text of a numbered line without its closing brace: the log adds `,"crc":"…"}`. */
export function lineBody({ seq, at, runId, opId, event }: LineParts): string {
  const run = runId === undefined ? '' : `,"runId":"${runId}"`
  const operation = opId === undefined ? '' : `,"opId":${JSON.stringify(opId)}`
  return `{"seq":${seq},"at":${at}${run}${operation},"event":${JSON.stringify(lineEvent(event))}`
}

/** The JSON text of any other line (header, checkpoint) without its closing brace. */
export function openBody(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}
