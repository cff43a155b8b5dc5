// Folds the events of a tool call; stores the tail of its live output.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { boundedTail } from './view-item.ts'
import { newToolItem } from './view-item.ts'
import type { ToolItem } from './view-item.ts'
import type { View } from './view.ts'

type ToolEvent = EventNamed<'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end'>

/** @param at Unix ms, 0 if unknown */
export function foldToolEvent(view: View, event: ToolEvent, at: number): View {
  const { toolCallId } = event
  const known = view.live.find((item) => item.kind === 'tool' && item.id === toolCallId)
  if (known?.kind !== 'tool') return event.type === 'tool_execution_start' ? addCall(view, event, at) : view
  const next = foldCall(known, event, at)
  return { ...view, live: view.live.map((item) => (item === known ? next : item)) }
}

/** Adds a call whose message was not received. */
function addCall(view: View, event: EventNamed<'tool_execution_start'>, at: number): View {
  const { toolCallId: id, toolName: name, entryId: block } = event
  return { ...view, live: [...view.live, foldCall(newToolItem({ id, name, block, state: 'waiting' }), event, at)] }
}

function foldCall(item: ToolItem, event: ToolEvent, at: number): ToolItem {
  switch (event.type) {
    case 'tool_execution_start': {
      const args = event.args ?? item.args
      return {
        ...item,
        name: event.toolName,
        state: 'running',
        ...(at === 0 ? {} : { startedAt: at }),
        ...(args === undefined ? {} : { args }),
      }
    }
    case 'tool_execution_update':
      return {
        ...item,
        tail: boundedTail(item.tail + event.content, 8_192),
        ...(event.progressPercent === undefined ? {} : { progressPercent: event.progressPercent }),
      }
    case 'tool_execution_end': {
      const { isError, content, details, durationMs } = event
      return {
        ...item,
        state: 'done',
        tail: '',
        isError,
        content,
        durationMs,
        ...(details === undefined ? {} : { details }),
      }
    }
  }
}
