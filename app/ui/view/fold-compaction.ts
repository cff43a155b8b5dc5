// Folds compactions, edits and pins of a model's context into progress, summaries and notices.
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { addUsage } from '../../../lib/streams/messages/message.ts'
import { compactionHint, compactionText, contextEditText, contextPinText } from '../../text/compaction-text.ts'
import type { SummaryItem } from './view-item.ts'
import type { ViewInput } from './view-input.ts'
import { addNotice } from './view.ts'
import type { View } from './view.ts'

type SummaryEvent = EventNamed<'compaction' | 'branch_summary'>
type ContextEvent = SummaryEvent | EventNamed<'compaction_progress' | 'context_edit' | 'context_pin'>

export function foldContextEvent(view: View, event: ContextEvent, at: number): View {
  switch (event.type) {
    case 'compaction_progress': {
      const { compacting } = view
      const { characters } = event
      return { ...view, compacting: { since: at, ...compacting, characters } }
    }
    case 'compaction': {
      const live = [...view.live, { ...summaryItem(event), hint: compactionHint }]
      const usage = event.usage === undefined ? view.usage : addUsage(view.usage, event.usage)
      return { ...withoutProgress(view), live, usage, contextTokens: event.tokensAfter, compaction: event.entryId }
    }
    case 'branch_summary':
      return { ...view, live: [...view.live, summaryItem(event)], contextTokens: event.tokensAfter }
    case 'context_edit':
      return view.isEdited === true
        ? view
        : { ...addNotice(view, { level: 'info', text: contextEditText(event) }), isEdited: true }
    case 'context_pin':
      return addNotice(view, { level: 'info', text: contextPinText(event) })
  }
}

export function summaryItem(event: SummaryEvent): SummaryItem {
  const title = event.type === 'compaction' ? compactionText(event) : 'Summary of the branch that was left'
  return { kind: 'summary', id: event.entryId, title, text: event.summary }
}

/** Ends the progress at the events after a compaction, and the run of edits at any other event. */
export function foldCompactionEnd(view: View, event: AgentEvent): View {
  const { compacting, isEdited } = view
  if (compacting === undefined && isEdited === undefined) return view
  const next = isEdited === undefined || event.type === 'context_edit' ? view : withoutEdits(view)
  return compacting !== undefined && endsCompaction(event) ? withoutProgress(next) : next
}

/** A compaction of another client that failed has a notice; that of this client has the response. */
export function foldCompactionFailure(view: View, { message }: EventNamed<'status'>): View {
  const { compacting } = view
  if (compacting === undefined || compacting.isOwn === true) return view
  const text = `The conversation was not summarised: ${message}`
  return addNotice(withoutProgress(view), { level: 'info', text })
}

/** This client asks for a compaction, or has its response (undefined). */
export function foldCompacting(view: View, since: number | undefined): View {
  return since === undefined ? withoutProgress(view) : { ...view, compacting: { since, characters: 0, isOwn: true } }
}

/** The branch has another summary, or none, than before the head moved. */
export function foldMovedCompaction(view: View, input: Extract<ViewInput, { readonly type: 'branch' }>): View {
  const { compaction: before, ...rest } = view
  const compaction = input.compaction?.event.entryId
  if (compaction === before || input.isUnread === true) return view
  const next: View = compaction === undefined ? rest : { ...rest, compaction }
  if (before === undefined) return next
  const text =
    compaction === undefined
      ? 'The summary is undone: the model receives the earlier messages again'
      : 'The last summary is undone: the model receives the one of this branch'
  return addNotice(next, { level: 'info', text })
}

/** The head is before the first message. */
export function withoutCompaction({ compaction: _, ...view }: View): View {
  return view
}

export function withoutProgress({ compacting: _, ...view }: View): View {
  return view
}

function withoutEdits({ isEdited: _, ...view }: View): View {
  return view
}

const ends: ReadonlySet<AgentEvent['type']> = new Set(['message_start', 'agent_end', 'agent_settled', 'context_edit'])

function endsCompaction(event: AgentEvent): boolean {
  return ends.has(event.type) || (event.type === 'warning' && event.code === 'compaction_failed')
}
