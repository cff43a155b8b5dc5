// Calls handlers of a module of pi at events of a session that nothing waits for.
import type { AgentEvent } from '../../../streams/events/event.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { emitEvent } from './emit-event.ts'
import { piMessage } from './own-entries.ts'

/** The event in pi's form, and what it is called there; undefined if pi has none. */
function piEvent(runtime: PiRuntime, event: AgentEvent): (PiRecord & { readonly type: string }) | undefined {
  switch (event.type) {
    case 'agent_start':
      return { type: 'agent_start' }
    case 'message_start':
    case 'message_end':
      return { type: event.type, message: piMessage(event.message) }
    case 'message_update':
      return { type: 'message_update', message: piMessage(runtime.api.session.state()?.open?.message ?? {}), assistantMessageEvent: event } // prettier-ignore
    case 'tool_execution_start':
      return { type: event.type, toolCallId: event.toolCallId, toolName: event.toolName, args: event.args }
    case 'tool_execution_update':
      return { type: event.type, toolCallId: event.toolCallId, partialResult: { content: [{ type: 'text', text: event.content }] } } // prettier-ignore
    case 'tool_execution_end': {
      const { toolCallId, toolName, isError, content, details } = event
      return { type: event.type, toolCallId, toolName, isError, result: { content, details } }
    }
    case 'thinking_level_change':
      return { type: 'thinking_level_select', level: event.to, previousLevel: event.from }
    case 'model_change':
      return { type: 'model_select', model: named(event.to), previousModel: named(event.from), source: 'set' }
    case 'session_info_change':
      return { type: 'session_info_changed', name: runtime.api.session.state()?.title }
    case 'compaction':
      return { type: 'session_compact', compactionEntry: { ...event, id: event.entryId }, fromExtension: false, reason: 'manual', willRetry: false } // prettier-ignore
    default:
      return undefined
  }
}

function named(model: unknown): PiRecord | undefined {
  if (typeof model !== 'string') return undefined
  const slash = model.indexOf('/')
  return { provider: model.slice(0, slash), id: model.slice(slash + 1) }
}

export async function observeEvent(runtime: PiRuntime, event: AgentEvent): Promise<void> {
  if (event.type === 'message_update' && !runtime.handlers.has('message_update')) return
  const own = piEvent(runtime, event)
  if (own === undefined) return
  const { type, ...fields } = own
  await emitEvent(runtime, type, () => fields)
}
