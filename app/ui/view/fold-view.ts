// Reducer of the view: folds one input and moves final items from live to finished, in order.
import { foldFeature } from '../../../lib/streams/state/fold-features.ts'
import { foldQueue, withoutInput } from '../../../lib/streams/state/fold-inputs.ts'
import { foldSettings } from '../../../lib/streams/state/fold-settings.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { ignoredLevelText } from '../../../lib/streams/models/model.ts'
import { addUsage } from '../../../lib/streams/messages/message.ts'
import { describeRunEnd } from '../../text/run-end-reason.ts'
import { foldQuestion, withDialog } from './fold-questions.ts'
import { foldCompacting, foldCompactionEnd, foldContextEvent, foldMovedCompaction } from './fold-compaction.ts'
import { foldScreen, foldSurface } from './fold-screen.ts'
import { foldJobEvent } from './fold-bash.ts'
import { addDraft, dropDrafts } from './fold-drafts.ts'
import { foldDelta } from './fold-delta.ts'
import { foldConnection, foldNotice, foldQuotedEnd, foldStopped, foldUndo } from './fold-notices.ts'
import { foldToolEvent } from './fold-tool-event.ts'
import { addRunEnd, foldChange } from './run-changes.ts'
import { hintFor } from './failure-notice.ts'
import { foldMessage } from './fold-message.ts'
import { foldOpened, foldHistory } from './fold-opened.ts'
import { isFinal } from './view-item.ts'
import type { ViewItem } from './view-item.ts'
import type { ViewInput } from './view-input.ts'
import { addNotice } from './view.ts'
import type { View } from './view.ts'

/** Finished items in a view: older ones are in the terminal's scrollback and in the session. */
const finishedLimit = 400

/** Pure. A delta costs its own length, however long the message and the session are. */
export function foldView(view: View, input: ViewInput): View {
  switch (input.type) {
    case 'event':
      return settle(foldEvent(foldCompactionEnd(view, input.event), input))
    case 'opened':
      return settle(foldOpened(view, input))
    case 'connection':
      return settle(foldConnection(view, input.state))
    case 'server_stopped':
      return settle(foldStopped(view))
    case 'notice':
      return settle(addNotice(view, input))
    case 'welcome': {
      const { title, lines } = input
      return settle({ ...view, live: [...view.live, { kind: 'welcome', id: 'welcome', title, lines }] })
    }
    case 'overlay': {
      const { overlay: _, ...closed } = view
      return withDialog(input.overlay === undefined ? closed : { ...closed, overlay: input.overlay })
    }
    case 'answered':
      return { ...view, answered: [...view.answered, input.requestId].slice(-100) }
    case 'draft':
      return { ...view, drafts: addDraft(view.drafts, input) }
    case 'drafts_taken':
      return { ...view, drafts: dropDrafts(view.drafts, input.revision) }
    case 'sending':
      return { ...view, sending: view.sending + input.change }
    case 'editing': {
      const { editing: _, ...fresh } = view
      return input.queueId === undefined ? fresh : { ...view, editing: input.queueId }
    }
    case 'undoing':
    case 'undone':
      return settle(foldUndo(view, input))
    case 'stopping':
      return foldStopping(view, input.isStopping)
    case 'branch':
      return settle(foldMovedCompaction(foldQuotedEnd(foldHistory(view, input)), input))
    case 'compacting':
      return foldCompacting(view, input.since)
    case 'caught_up':
    case 'lagging':
      return view
    default:
      return settle(foldScreen(view, input))
  }
}

function foldStopping(view: View, isStopping: boolean): View {
  const { running, compacting } = view
  if (running !== undefined) return { ...view, running: { ...running, isStopping } }
  return compacting === undefined ? view : { ...view, compacting: { ...compacting, isStopping } }
}

/** A running shell command of the user does not hold back later items. */
function settle(view: View): View {
  const ready: ViewItem[] = []
  const rest: ViewItem[] = []
  let isHeld = false
  for (const item of view.live) {
    const isReady = !isHeld && isFinal(item)
    if (!isReady && item.kind !== 'bash') isHeld = true
    ;(isReady ? ready : rest).push(item)
  }
  if (ready.length === 0) return view
  const finished = [...view.finished, ...ready].slice(-finishedLimit)
  return { ...view, finished, finishedCount: view.finishedCount + ready.length, live: rest }
}

function foldEvent(view: View, received: ReceivedEvent): View {
  const { event, at = 0, runId } = received
  switch (event.type) {
    case 'message_update':
      return foldDelta(view, event)
    case 'tool_execution_start':
    case 'tool_execution_update':
      return foldToolEvent(view, event, at)
    case 'tool_execution_end':
      return foldChange(foldToolEvent(view, event, at), event)
    case 'message_start':
      return foldMessageStart(view, event.message, event.queueId)
    case 'message_end':
      return foldMessage(view, event)
    case 'agent_start': {
      const { model, thinkingLevel, tools } = event
      return {
        ...view,
        running: { since: at, model, ...(runId === undefined ? {} : { runId }) },
        model,
        thinkingLevel,
        activeTools: tools,
      }
    }
    case 'turn_end':
    case 'summary_usage':
      return { ...view, usage: addUsage(view.usage, event.usage) }
    case 'agent_end': {
      return addRunEnd(foldRunEnd(view, event), event)
    }
    case 'agent_settled': {
      const { running: _, retry: __, ...rested } = view
      return { ...rested, endings: view.endings + 1 }
    }
    default:
      return foldOther(view, received)
  }
}

function foldRunEnd(view: View, event: EventNamed<'agent_end'>): View {
  const reason = describeRunEnd(event)
  if (reason === undefined) return view
  const { terminationReason, error } = event
  if (error !== undefined) return addNotice(view, { level: 'error', text: reason, ...hintFor(error) })
  const level = terminationReason === 'aborted' ? 'stopped' : terminationReason === 'error' ? 'error' : 'warning'
  return addNotice(view, { level, text: reason.charAt(0).toUpperCase() + reason.slice(1) })
}

function foldOther(view: View, { event, at = 0 }: ReceivedEvent): View {
  switch (event.type) {
    case 'queue_update':
      return { ...view, queue: foldQueue(view.queue, event) }
    case 'ui_request':
    case 'ui_resolved':
    case 'question':
    case 'question_resolved':
      return foldQuestion(view, event)
    case 'surface':
      return foldSurface(view, event)
    case 'plan_update':
      return foldFeature(view, event)
    case 'context_added':
      return addNotice(view, { level: 'info', text: contextNotice(event) })
    case 'job_start':
    case 'job_update':
    case 'job_end':
    case 'job_lost':
      return foldJobEvent(view, event, at)
    case 'model_change':
      return foldModelChange(view, event)
    case 'thinking_level_change':
      return foldThinkingLevel(view, event)
    case 'active_tools_change':
    case 'session_info_change': {
      const { title, ...rest } = foldSettings<Chosen>(view, event)
      const { session } = view
      return {
        ...view,
        ...rest,
        ...(session === undefined || title === undefined ? {} : { session: { ...session, title } }),
      }
    }
    case 'compaction_progress':
    case 'compaction':
    case 'branch_summary':
    case 'context_edit':
    case 'context_pin':
      return foldContextEvent(view, event, at)
    case 'approval_mode_change':
      return { ...view, approvalMode: event.to }
    case 'auto_retry': {
      const reason = event.message ?? event.kind
      return { ...view, retry: { attempt: event.attempt, at: at + event.delayMs, reason } }
    }
    default:
      return foldNotice(view, event)
  }
}

function foldModelChange(view: View, event: EventNamed<'model_change'>): View {
  const { to: model, contextWindow, reason, ownModel } = event
  const { contextWindow: _, ...rest } = view // that of the previous model
  const chosen = { ...rest, model, ...(contextWindow === undefined ? {} : { contextWindow }) }
  if (reason !== undefined && ownModel !== undefined)
    return model === ownModel
      ? chosen
      : addNotice(chosen, { level: 'info', text: `This run goes on with ${model}: ${reason}` })
  const isLater = view.running !== undefined && model !== view.running.model
  return isLater ? addNotice(chosen, { level: 'info', text: `The next request goes to ${model}` }) : chosen
}

function foldThinkingLevel(view: View, { to, ignored }: EventNamed<'thinking_level_change'>): View {
  const next = { ...view, thinkingLevel: to }
  return ignored === true ? addNotice(next, { level: 'warning', text: ignoredLevelText(to, view.model) }) : next
}

type Chosen = Pick<View, 'model' | 'thinkingLevel' | 'activeTools'> & { readonly title?: string }

function withAnsweringModel(view: View, model: string): View {
  return view.running === undefined ? view : { ...view, running: { ...view.running, model } }
}

/** A queued input is delivered, or the model answers again. */
function foldMessageStart(view: View, message: Message, queueId: string | undefined): View {
  if (message.role === 'assistant') {
    const { retry: _, ...answering } = view
    return withAnsweringModel(answering, `${message.provider}/${message.model}`)
  }
  if (queueId === undefined) return view
  return { ...view, queue: withoutInput(view.queue, queueId), delivering: queueId }
}

/** Of an MCP server the path is its name. */
function contextNotice({ kind, path }: EventNamed<'context_added'>): string {
  return kind === 'mcp' ? `The model has the instructions of the MCP server ${path}` : `The model was told ${path}`
}
