// Imports a foreign log of rxpi event by event, each checked.
// Events that must not stay active become data.
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { parseLine } from '../lines/parse-line.ts'
import { cleanValue, maxDepth } from './foreign-values.ts'
import { isBlank } from './foreign-lines.ts'
import type { ImportNotes, Importer } from './importer.ts'
import type { AgentEvent, EventType } from '../../streams/events/event.ts'
import { customTypes } from './custom-types.ts'

/**
 * Handles the lines after the first. Entry and run ids stay; `opId`s are dropped, and checkpoints except those of the
 * open message.
 */
export function logImporter(notes: ImportNotes): Importer {
  const entries = knownEntries()
  let seq = 0
  return {
    line: ({ number, text }) => {
      const addNote = (message: string): void => notes.add(number, message)
      const record = text === undefined ? 'it is too long' : recordOf(text)
      if (typeof record === 'string') {
        addNote(`${record}; it was left out`)
        return []
      }
      const { at, runId, event } = record
      if (record.seq !== undefined) {
        if (record.seq !== seq + 1) addNote(`its number is ${record.seq} but ${seq + 1} was expected`)
        seq = record.seq
      }
      const reason = leaveOutReason(event.type)
      if (reason !== undefined) addNote(`${event.type} was stored as data: ${reason}`)
      const taken = reason === undefined ? fitEvent(entries, event, addNote) : [asData(event)]
      return taken.map((one) => ({ at, ...(runId === undefined ? {} : { runId }), event: one }))
    },
  }
}

function recordOf(text: string): SessionRecord | string {
  if (isBlank(text)) return 'it is empty'
  const parsed = parseLine(Buffer.from(text))
  if (!parsed.ok) return parsed.problem
  return cleanValue(parsed.record) === undefined ? `it is nested more than ${maxDepth} levels deep` : parsed.record
}

/**
 * Why an event of this type becomes inactive data: permissions, pending work, and references to another machine.
 * Undefined if it may stay.
 */
function leaveOutReason(type: string): string | undefined {
  if (unchangedTypes.has(type)) return undefined
  return reasons[type as EventType] ?? 'this rxpi does not know such an event'
}

/** The event as inactive data. */
function asData(event: AgentEvent): AgentEvent {
  return { type: 'custom', customType: customTypes.leftOut, data: event }
}

const unchangedTypes = new Set<string>([
  'agent_start',
  'turn_start',
  'message_start',
  'message_update',
  'message_end',
  'tool_execution_start',
  'tool_execution_end',
  'turn_end',
  'agent_end',
  'agent_settled',
  'model_change',
  'thinking_level_change',
  'session_info_change',
  'label',
  'head_moved',
  'compaction',
  'branch_summary',
  'context_edit',
  'context_pin',
  'plan_update',
  'auto_retry',
  'model_fallback',
  'custom',
  'warning',
  'error',
] satisfies EventType[])

const permissionReason = 'a file cannot grant permissions'
const waiting = 'pending work is not imported'
const jobs = 'its jobs ran on another machine'

const reasons: Readonly<Partial<Record<EventType, string>>> = {
  active_tools_change: permissionReason,
  scenario_change: permissionReason,
  approval_mode_change: permissionReason,
  ui_request: permissionReason,
  ui_resolved: permissionReason,
  policy_decision: permissionReason,
  question: permissionReason,
  question_resolved: permissionReason,
  tool_set_change: permissionReason,
  extension_state: permissionReason,
  queue_mode_change: waiting,
  queue_update: waiting,
  job_start: jobs,
  job_end: jobs,
  job_lost: jobs,
  snapshot_taken: 'its snapshots are on another machine',
  files_restored: 'its snapshots are on another machine',
}

// Imports each entry once, after an entry that exists: a manipulated log may have cycles, the copy has none.

/** The entries imported so far. */
interface KnownEntries {
  readonly known: Set<string>
  head: string | null
  /** The open message. */
  open: string | undefined
}

type AddNote = (message: string) => void
type NodeEvent = AgentEvent & { readonly entryId: string; readonly parentId: string | null }

function knownEntries(): KnownEntries {
  return { known: new Set(), head: null, open: undefined }
}

/** The event itself, the event mended, or nothing; `addNote` gets the reason. */
function fitEvent(entries: KnownEntries, event: AgentEvent, addNote: AddNote): readonly AgentEvent[] {
  switch (event.type) {
    case 'message_start': {
      const taken = fitEntry(entries, event, addNote)
      entries.open = taken[0]?.entryId
      return taken
    }
    case 'message_update':
      return event.entryId === entries.open ? [event] : []
    case 'message_end':
      entries.open = undefined
      return addEntry(entries, event, addNote)
    case 'compaction':
      return addEntry(
        entries,
        { ...event, firstKeptEntryId: firstKnownEntry(entries, event.firstKeptEntryId, addNote) },
        addNote,
      )
    case 'branch_summary':
      return addEntry(entries, event, addNote)
    case 'head_moved': {
      const taken = keepIfKnown(entries, event, event.entryId, addNote)
      if (taken.length > 0) entries.head = event.entryId
      return taken
    }
    case 'label':
    case 'context_edit':
      return keepIfKnown(entries, event, event.targetEntryId, addNote)
    case 'tool_execution_start':
      return keepIfKnown(entries, event, event.entryId, addNote)
    default:
      return [event]
  }
}

function fitEntry<Event extends NodeEvent>({ known, head }: KnownEntries, event: Event, addNote: AddNote): Event[] {
  if (known.has(event.entryId)) {
    addNote(`there is an entry ${event.entryId} already; it was left out`)
    return []
  }
  if (event.parentId === null || known.has(event.parentId)) return [event]
  addNote('the entry that it follows is not in the file before it; it now follows the last imported entry')
  return [{ ...event, parentId: head }]
}

function addEntry<Event extends NodeEvent>(entries: KnownEntries, event: Event, addNote: AddNote): Event[] {
  const taken = fitEntry(entries, event, addNote)
  if (taken.length === 0) return taken
  entries.known.add(event.entryId)
  entries.head = event.entryId
  return taken
}

function keepIfKnown<Event>({ known }: KnownEntries, event: Event, entryId: string | null, addNote: AddNote): Event[] {
  if (entryId === null || known.has(entryId)) return [event]
  addNote(`it is about the entry ${entryId}, which is not in the file before it; it was left out`)
  return []
}

function firstKnownEntry({ known }: KnownEntries, entryId: string | null, addNote: AddNote): string | null {
  if (entryId === null || known.has(entryId)) return entryId
  addNote('the first message that it keeps is not in the file before it; it keeps none')
  return null
}
