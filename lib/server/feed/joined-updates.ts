// Pieces that come one after the other are told as one: of each block, and of each kind of a tool's output.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { pieceJoiner } from '../../streams/messages/fold-message.ts'

export interface JoinedUpdates {
  /** UTF-16 units that were added and not taken. */
  readonly length: number
  /** Whether the event was taken in: false for what cannot be joined. */
  add(event: AgentEvent): boolean
  /** What was added, joined; it is gone then. */
  take(): AgentEvent[]
}

type ToolUpdate = EventNamed<'tool_execution_update'>

/** Holds what was added. The pieces of another message are to be taken first. */
export function joinedUpdates(): JoinedUpdates {
  const pieces = pieceJoiner()
  let output = new Map<string, ToolUpdate>()
  let entryId = ''
  let outputLength = 0
  return {
    get length() {
      return pieces.length + outputLength
    },
    add: (event) => {
      if (event.type === 'message_update' && 'offset' in event.delta) {
        entryId = event.entryId
        pieces.add(event.delta)
        return true
      }
      if (event.type !== 'tool_execution_update' || event.content === '') return false
      const key = `${event.updateType} ${event.toolCallId}`
      const before = output.get(key)
      // a gap is not closed by joining
      if (before !== undefined && before.offset + before.content.length !== event.offset) return false
      output.set(key, before === undefined ? event : { ...event, ...joined(before, event) })
      outputLength += event.content.length
      return true
    },
    take: () => {
      const told: AgentEvent[] = pieces.take().map((delta) => ({ type: 'message_update', entryId, delta }))
      told.push(...output.values())
      if (output.size > 0) output = new Map()
      outputLength = 0
      return told
    },
  }
}

function joined(before: ToolUpdate, event: ToolUpdate): Pick<ToolUpdate, 'content' | 'offset'> {
  return { content: before.content + event.content, offset: before.offset }
}
