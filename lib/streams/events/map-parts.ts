// Maps the text and image parts of events and messages. Four kinds of events carry such parts.
import type { AgentEvent } from './event.ts'
import type { Message, ToolResultMessage, UserContent } from '../messages/message.ts'

/** The author of a part: a user, or a tool by its result. */
export type PartOrigin = 'person' | 'result'

/** Returns the replacement of a part, or the part itself if nothing changes. */
export type PartMap = (part: UserContent, origin: PartOrigin) => UserContent

/** The event with its parts mapped; the same object if none changed. */
export function mapParts(event: AgentEvent, map: PartMap): AgentEvent {
  switch (event.type) {
    case 'message_end': {
      const message = mapMessageParts(event.message, map)
      return message === event.message ? event : { ...event, message }
    }
    case 'tool_execution_end': {
      const content = mapList(event.content, 'result', map)
      return content === event.content ? event : { ...event, content }
    }
    case 'queue_update': {
      if (event.content === undefined || typeof event.content === 'string') return event
      const content = mapList(event.content, 'person', map)
      return content === event.content ? event : { ...event, content }
    }
    case 'context_edit': {
      const replacement = event.replacement === null ? null : mapMessageParts(event.replacement, map)
      return replacement === event.replacement ? event : { ...event, replacement }
    }
    default:
      return event
  }
}

/** The message with its parts mapped; the same object if none changed. Answers and custom roles have none. */
export function mapMessageParts(message: Message, map: PartMap): Message {
  if (message.role === 'user') {
    if (typeof message.content === 'string') return message
    const content = mapList(message.content, 'person', map)
    return content === message.content ? message : { ...message, content }
  }
  if (message.role !== 'toolResult') return message
  const line: Partial<ToolResultMessage> = message // absent if another line holds the content
  if (line.content === undefined) return message
  const content = mapList(line.content, 'result', map)
  return content === line.content ? message : { ...message, content }
}

function mapList(parts: readonly UserContent[], origin: PartOrigin, map: PartMap): readonly UserContent[] {
  const next = parts.map((part) => map(part, origin))
  return next.every((part, index) => part === parts[index]) ? parts : next
}
