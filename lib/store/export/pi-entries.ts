// Converts one event to pi's entries; most events have none.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { customTypes } from '../import/custom-types.ts'
import type { AssistantMessage, Message, UserContent } from '../../streams/messages/message.ts'

export interface PiExportEntry {
  /** All fields but id, parentId and timestamp. */
  readonly fields: Readonly<Record<string, unknown>> & { readonly type: string }
  /** Absent: it is not a tree node. */
  readonly node?: { readonly entryId: string; readonly parentId: string | null }
}

/** Tracks the last exported model and thinking level: a run that starts with others adds a change. */
export function piEntries(): (event: AgentEvent) => readonly PiExportEntry[] {
  let model: string | undefined
  let level: string | undefined

  function changed(next: string, thinkingLevel: string | undefined): PiExportEntry[] {
    const changes: PiExportEntry[] = []
    if (next !== model) changes.push({ fields: modelChange(next) })
    if (thinkingLevel !== level && thinkingLevel !== undefined)
      changes.push({ fields: { type: 'thinking_level_change', thinkingLevel } })
    model = next
    level = thinkingLevel ?? level
    return changes
  }

  return (event) => {
    switch (event.type) {
      case 'agent_start':
        return changed(event.model, event.thinkingLevel)
      case 'model_change':
        model = event.to
        return [{ fields: modelChange(event.to) }]
      case 'thinking_level_change':
        level = event.to
        return [{ fields: { type: event.type, thinkingLevel: event.to } }]
      case 'message_end':
        return [{ fields: piMessageFields(event.message), node: event }]
      case 'compaction':
      case 'branch_summary':
        return [summary(event)]
      default:
        return beside(event)
    }
  }
}

function beside(event: AgentEvent): PiExportEntry[] {
  switch (event.type) {
    case 'label': {
      const label = event.label === null ? {} : { label: event.label }
      return [{ fields: { type: 'label', targetId: event.targetEntryId, ...label } }]
    }
    case 'session_info_change':
      return typeof event.to['title'] === 'string'
        ? [{ fields: { type: 'session_info', name: event.to['title'] } }]
        : []
    case 'context_edit':
      return [{ fields: contextEdit(event) }]
    case 'custom':
      return [{ fields: custom(event) }]
    default:
      return []
  }
}

/** `provider/id`: an id may contain slashes, a provider may not. */
function modelChange(name: string): PiExportEntry['fields'] {
  const slash = name.indexOf('/')
  const provider = slash < 0 ? 'unknown' : name.slice(0, slash)
  return { type: 'model_change', provider, modelId: name.slice(slash + 1) }
}

/** In pi a compaction that keeps nothing names itself. */
function summary(event: EventNamed<'compaction' | 'branch_summary'>): PiExportEntry {
  const { type, entryId, parentId, summary: text, details } = event
  const more = details === undefined ? {} : { details }
  const fields =
    type === 'compaction'
      ? { type, summary: text, firstKeptEntryId: event.firstKeptEntryId ?? entryId, tokensBefore: event.tokensBefore }
      : { type, summary: text, fromId: event.fromEntryId }
  return { fields: { ...fields, ...more }, node: { entryId, parentId } }
}

function contextEdit({ targetEntryId, replacement }: EventNamed<'context_edit'>): PiExportEntry['fields'] {
  const edited = replacement === null ? null : { content: replacement.content }
  return { type: 'context_edit', targetId: targetEntryId, replacement: edited }
}

/** Data of an imported pi entry becomes that entry again. */
function custom({ customType, data }: EventNamed<'custom'>): PiExportEntry['fields'] {
  const type = importedTypes.get(customType)
  if (type !== undefined && typeof data === 'object' && data !== null && 'type' in data && type(data.type))
    return { ...data, type: String(data.type) }
  return { type: 'custom', customType, ...(data === null ? {} : { data }) }
}

const ownTypes = new Set<unknown>([
  'session',
  'message',
  'custom_message',
  'compaction',
  'branch_summary',
  'model_change',
  'thinking_level_change',
  'label',
  'session_info',
  'context_edit',
  'custom',
  'usage',
])

const importedTypes = new Map<string, (type: unknown) => boolean>([
  [customTypes.piUsage, (type) => type === 'usage'],
  [customTypes.piUnknown, (type) => typeof type === 'string' && !ownTypes.has(type)],
])

// Converts a message to pi's entry; pi has the same shapes, except for roles that it does not know.

type PiFields = Readonly<Record<string, unknown>> & { readonly type: string }

/** The entry's fields but id, parentId and timestamp. An unknown role becomes data, which no model receives. */
function piMessageFields(message: Message): PiFields {
  switch (message.role) {
    case 'user':
      return { type: 'message', message: { ...message, content: piContent(message.content) } }
    case 'toolResult':
      return { type: 'message', message: { ...message, content: piContent(message.content) } }
    case 'assistant':
      return { type: 'message', message: { ...message, usage: usage(message.usage) } }
    default:
      return customMessage(message)
  }
}

function customMessage(message: Readonly<Record<string, unknown>>): PiFields {
  const { role, timestamp, ...fields } = message
  if (role === 'bashExecution') return { type: 'message', message }
  if (role === 'piSystem') return { type: 'message', message: { ...message, role: 'system' } }
  if (role === 'custom' && typeof fields['customType'] === 'string') return { type: 'custom_message', ...fields }
  return { type: 'custom', customType: customTypes.message, data: message }
}

/** An image stored as a blob stays there; the export names it. */
function piContent(content: string | readonly UserContent[]): string | readonly UserContent[] {
  if (typeof content === 'string') return content
  return content.map((part) => {
    if (part.type === 'text' || part.data !== undefined) return part
    return { type: 'text', text: `[${part.mimeType}, ${part.bytes ?? 0} bytes, is not part of this file]` }
  })
}

/** pi expects numbers; `unknown: true` marks that they are unknown. */
function usage({ cost, ...counts }: AssistantMessage['usage']): object {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, unknown: true }
  return { ...counts, cost: cost === 'unknown' ? none : cost }
}
