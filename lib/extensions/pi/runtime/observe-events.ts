// Calls handlers of a module of pi at events of a session that nothing waits for.
import type { AgentEvent, EventNamed } from '../../../streams/events/event.ts'
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
      return {
        type: 'message_update',
        message: piMessage(runtime.api.session.state()?.open?.message ?? {}),
        assistantMessageEvent: event,
      }
    case 'tool_execution_start':
      return { type: event.type, toolCallId: event.toolCallId, toolName: event.toolName, args: event.args }
    case 'tool_execution_update':
      return {
        type: event.type,
        toolCallId: event.toolCallId,
        partialResult: { content: [{ type: 'text', text: event.content }] },
      }
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
      return {
        type: 'session_compact',
        compactionEntry: { ...event, id: event.entryId },
        fromExtension: false,
        reason: 'manual',
        willRetry: false,
      }
    case 'ui_request':
      return event.kind === 'notify' || event.kind === 'approval' ? undefined : promptEvent(runtime, event)
    case 'ui_resolved':
      return promptEnd(runtime, event.requestId)
    case 'status':
      return compactionFailure(event)
    default:
      return undefined
  }
}

/** pi has the event for questions of extensions alone. */
function promptEvent(
  { openPrompts }: PiRuntime,
  { requestId, kind, text }: EventNamed<'ui_request'>,
): PiRecord & { readonly type: string } {
  const prompt = { reason: 'ui_prompt', kind, title: text.split('\n')[0] }
  openPrompts.set(requestId, prompt)
  return { type: 'ui_prompt_start', ...prompt }
}

function promptEnd({ openPrompts }: PiRuntime, requestId: string): (PiRecord & { readonly type: string }) | undefined {
  const prompt = openPrompts.get(requestId)
  openPrompts.delete(requestId)
  return prompt && { type: 'ui_prompt_end', ...prompt }
}

function compactionFailure({
  code,
  message,
  context,
}: EventNamed<'status'>): (PiRecord & { readonly type: string }) | undefined {
  if (code !== 'compaction_ended') return undefined
  const aborted = (context as { readonly code?: string } | undefined)?.code === 'cancelled'
  const fields = { reason: 'manual', aborted, willRetry: false, fromExtension: false }
  return { type: 'session_compact_failed', ...fields, ...(!aborted && { errorMessage: message }) }
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
  await emitEvent(
    runtime,
    type,
    () => fields,
    ({ message }) => {
      if (type === 'message_end' && message !== undefined)
        runtime.limits.report('the answer of message_end', 'a message stays as it was recorded')
      return false
    },
  )
}
