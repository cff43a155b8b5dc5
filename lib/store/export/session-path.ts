// Collects the conversation from the first message to the head, with its changes.
// Counts the messages on other branches.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { ToolCall, ToolResultMessage } from '../../streams/messages/message.ts'
import { messageText } from '../../streams/messages/message-text.ts'
import { hiddenResultText } from '../../streams/state/fold-context-changes.ts'
import { isSameJson } from '../../streams/values/json.ts'
import type { LogToExport } from './complete-records.ts'
import { completeRecords } from './complete-records.ts'

type NodeEvent = EventNamed<'message_end' | 'compaction' | 'branch_summary'>
type ChangeEvent = EventNamed<'model_change' | 'thinking_level_change'>

export interface PathStep {
  /** Unix milliseconds. */
  readonly at: number
  readonly event: NodeEvent | ChangeEvent
  readonly label?: string
  /** Marks if the model does not receive the message as it is: `pinned`, `hidden from the model` … */
  readonly marks?: readonly string[]
}

export interface SessionPath {
  readonly header: SessionHeader
  readonly title: string | undefined
  readonly steps: readonly PathStep[]
  /** The results of the calls on the path. A result belongs to the nearest earlier answer, as call ids may repeat. */
  readonly results: ReadonlyMap<ToolCall, ToolResultMessage>
  /** Results that are shown with their call. */
  readonly paired: ReadonlySet<ToolResultMessage>
  /** Number of messages on other branches. */
  readonly elsewhere: number
}

/** Reads a whole log and keeps its messages in memory. Yields an empty text for each record to let other work run. */
export function* sessionPath(log: LogToExport): Generator<'', SessionPath> {
  const found = yield* collectPath(log)
  const steps: PathStep[] = []
  for (const entryId of pathTo(found.nodes, found.head)) {
    const node = found.nodes.get(entryId ?? '')
    const label = found.labels.get(entryId ?? '')
    const marks = marksOf(entryId ?? '', found)
    if (node !== undefined)
      steps.push({ ...node, ...(label === undefined ? {} : { label }), ...(marks.length === 0 ? {} : { marks }) })
    steps.push(...(found.changes.get(entryId) ?? []))
  }
  const isMessage = ({ event }: PathStep): boolean => event.type === 'message_end'
  const elsewhere = [...found.nodes.values()].filter(isMessage).length - steps.filter(isMessage).length
  const results = resultsOf(steps)
  return { header: log.header, title: found.title, steps, results, paired: new Set(results.values()), elsewhere }
}

interface CollectedPath {
  readonly nodes: Map<string, { readonly at: number; readonly event: NodeEvent }>
  /** Changes at a node, or before the first one. */
  readonly changes: Map<string | null, PathStep[]>
  readonly labels: Map<string, string>
  readonly pins: Set<string>
  readonly edits: Map<string, string>
  head: string | null
  title: string | undefined
}

function* collectPath(log: LogToExport): Generator<'', CollectedPath> {
  const found: CollectedPath = {
    nodes: new Map(),
    changes: new Map(),
    labels: new Map(),
    pins: new Set(),
    edits: new Map(),
    head: null,
    title: log.header.title,
  }
  for (const { at, event } of completeRecords(log)) {
    recordFact(found, at, event)
    yield ''
  }
  return found
}

function recordFact(found: CollectedPath, at: number, event: AgentEvent): void {
  switch (event.type) {
    case 'message_end':
    case 'compaction':
    case 'branch_summary':
      found.nodes.set(event.entryId, { at, event })
      found.head = event.entryId
      break
    case 'head_moved':
      found.head = event.entryId
      break
    case 'label':
      if (event.label === null) found.labels.delete(event.targetEntryId)
      else found.labels.set(event.targetEntryId, event.label)
      break
    case 'context_pin':
      if (event.pinned) found.pins.add(event.targetEntryId)
      else found.pins.delete(event.targetEntryId)
      break
    case 'context_edit':
      recordEdit(found, event)
      break
    case 'model_change':
    case 'thinking_level_change':
      found.changes.set(found.head, [...(found.changes.get(found.head) ?? []), { at, event }])
      break
    default:
      found.title = titleAfter(found.title, event)
  }
}

/** An edit that gives the message itself again leaves no mark. */
function recordEdit({ edits, nodes }: CollectedPath, edit: EventNamed<'context_edit'>): void {
  const { targetEntryId: entryId, replacement } = edit
  const node = nodes.get(entryId)?.event
  if (replacement === null || messageText(replacement) === hiddenResultText) edits.set(entryId, 'hidden from the model')
  else if (node?.type === 'message_end' && isSameJson(replacement, node.message)) edits.delete(entryId)
  else edits.set(entryId, replacement.role === 'toolResult' ? 'shortened for the model' : 'replaced for the model')
}

function marksOf(entryId: string, { pins, edits }: CollectedPath): string[] {
  const edit = edits.get(entryId)
  return [...(pins.has(entryId) ? ['pinned'] : []), ...(edit === undefined ? [] : [edit])]
}

function resultsOf(steps: readonly PathStep[]): Map<ToolCall, ToolResultMessage> {
  const results = new Map<ToolCall, ToolResultMessage>()
  let calls: readonly ToolCall[] = []
  for (const { event } of steps) {
    if (event.type !== 'message_end') continue
    const { message } = event
    if (message.role === 'assistant') calls = message.content.filter((block) => block.type === 'toolCall')
    if (message.role !== 'toolResult') continue
    const call = calls.find(({ id }) => id === message.toolCallId)
    if (call !== undefined && !results.has(call)) results.set(call, message)
  }
  return results
}

/** The nodes from before the first (`null`) to the head, each once, even if a damaged log has a cycle. */
function pathTo(nodes: CollectedPath['nodes'], head: string | null): (string | null)[] {
  const ids = new Set<string>()
  for (let id = head; id !== null && !ids.has(id);) {
    ids.add(id)
    id = nodes.get(id)?.event.parentId ?? null
  }
  return [null, ...[...ids].reverse()]
}

/** The header's title, or the last title change. */
function titleAfter(before: string | undefined, event: AgentEvent): string | undefined {
  if (event.type !== 'session_info_change') return before
  const { title } = event.to
  return typeof title === 'string' ? title : before
}
