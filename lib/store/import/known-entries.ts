// Each entry is there once and stands behind one that is there: a log that somebody made may go in circles, the copy does not.
import type { AgentEvent } from '../../streams/events/event.ts'

/** The entries that were taken over so far. */
export interface KnownEntries {
  readonly known: Set<string>
  head: string | null
  /** The message that has begun and not ended. */
  open: string | undefined
}

type Tell = (message: string) => void
type NodeEvent = AgentEvent & { readonly entryId: string; readonly parentId: string | null }

export function knownEntries(): KnownEntries {
  return { known: new Set(), head: null, open: undefined }
}

/** What is left of an event: itself, itself mended, or nothing; `tell` said why. */
export function fitted(entries: KnownEntries, event: AgentEvent, tell: Tell): readonly AgentEvent[] {
  switch (event.type) {
    case 'message_start': {
      const taken = placed(entries, event, tell)
      entries.open = taken[0]?.entryId
      return taken
    }
    case 'message_update':
      return event.entryId === entries.open ? [event] : []
    case 'message_end':
      entries.open = undefined
      return added(entries, event, tell)
    case 'compaction':
      return added(entries, { ...event, firstKeptEntryId: keptEntry(entries, event.firstKeptEntryId, tell) }, tell)
    case 'branch_summary':
      return added(entries, event, tell)
    case 'head_moved': {
      const taken = about(entries, event, event.entryId, tell)
      if (taken.length > 0) entries.head = event.entryId
      return taken
    }
    case 'label':
    case 'context_edit':
      return about(entries, event, event.targetEntryId, tell)
    case 'tool_execution_start':
      return about(entries, event, event.entryId, tell)
    default:
      return [event]
  }
}

function placed<Event extends NodeEvent>({ known, head }: KnownEntries, event: Event, tell: Tell): Event[] {
  if (known.has(event.entryId)) {
    tell(`there is an entry ${event.entryId} already; it was left out`)
    return []
  }
  if (event.parentId === null || known.has(event.parentId)) return [event]
  tell('the entry that it follows is not in the file before it; it was put behind the one that stands there')
  return [{ ...event, parentId: head }]
}

function added<Event extends NodeEvent>(entries: KnownEntries, event: Event, tell: Tell): Event[] {
  const taken = placed(entries, event, tell)
  if (taken.length === 0) return taken
  entries.known.add(event.entryId)
  entries.head = event.entryId
  return taken
}

function about<Event>({ known }: KnownEntries, event: Event, entryId: string | null, tell: Tell): Event[] {
  if (entryId === null || known.has(entryId)) return [event]
  tell(`it is about the entry ${entryId}, which is not in the file before it; it was left out`)
  return []
}

function keptEntry({ known }: KnownEntries, entryId: string | null, tell: Tell): string | null {
  if (entryId === null || known.has(entryId)) return entryId
  tell('the first message that it keeps is not in the file before it; it keeps none')
  return null
}
