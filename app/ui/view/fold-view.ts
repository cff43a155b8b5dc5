// One input more makes the next view; what has become final moves from the live items to the finished ones, in order.
import { foldJobs } from '../../../lib/streams/fold-jobs.ts'
import { foldQueue, withoutInput } from '../../../lib/streams/fold-queue.ts'
import { foldRequests } from '../../../lib/streams/fold-requests.ts'
import { foldSettings } from '../../../lib/streams/fold-settings.ts'
import type { ReceivedEvent } from '../../../lib/server/client-event.ts'
import type { Message } from '../../../lib/streams/message.ts'
import { addUsage } from '../../../lib/streams/usage.ts'
import { reasonOfEnd } from '../../reason-of-end.ts'
import { foldDelta } from './fold-delta.ts'
import { foldConnection } from './fold-connection.ts'
import { foldToolEvent } from './fold-tool-event.ts'
import { hintFor } from './hint-for.ts'
import { messageEnded } from './message-ended.ts'
import { openedView } from './opened-view.ts'
import { isFinal } from './view-item.ts'
import type { ViewItem } from './view-item.ts'
import type { ViewInput } from './view-input.ts'
import { withNotice } from './with-notice.ts'
import type { View } from './view.ts'

/** Pure. A delta costs what it is long, however long the message and the session are. */
export function foldView(view: View, input: ViewInput): View {
  switch (input.type) {
    case 'event':
      return settle(foldEvent(view, input))
    case 'opened':
      return settle(openedView(view, input))
    case 'connection':
      return settle(foldConnection(view, input.state))
    case 'notice':
      return settle(withNotice(view, input))
    case 'overlay': {
      const { overlay: _, ...closed } = view
      return input.overlay === undefined ? closed : { ...closed, overlay: input.overlay }
    }
    case 'draft':
      return { ...view, draft: { text: input.text, revision: view.draft.revision + 1 } }
    case 'toggle_thinking':
      return { ...view, showsThinking: !view.showsThinking }
    case 'attached':
    case 'caught_up':
    case 'lagging':
      return view
  }
}

function settle(view: View): View {
  let count = 0
  for (const item of view.live) {
    if (!isFinal(item)) break
    count += 1
  }
  if (count === 0) return view
  const finished = view.finished as ViewItem[] // grows in place: see View
  finished.length = view.finishedCount
  finished.push(...view.live.slice(0, count))
  return { ...view, finishedCount: finished.length, live: view.live.slice(count) }
}

function foldEvent(view: View, received: ReceivedEvent): View {
  const { event, at = 0, runId } = received
  switch (event.type) {
    case 'message_update':
      return foldDelta(view, event)
    case 'tool_execution_start':
    case 'tool_execution_update':
    case 'tool_execution_end':
      return foldToolEvent(view, event, at)
    case 'message_start':
      return started(view, event.message, event.queueId)
    case 'message_end':
      return messageEnded(view, event)
    case 'agent_start': {
      const { model, thinkingLevel, tools } = event
      return {
        ...view,
        running: { since: at, ...(runId === undefined ? {} : { runId }) },
        model,
        thinkingLevel,
        activeTools: tools,
      }
    }
    case 'turn_end':
      return { ...view, usage: addUsage(view.usage, event.usage) }
    case 'agent_end': {
      const reason = reasonOfEnd(event)
      const level = event.terminationReason === 'error' ? 'error' : 'warning'
      return reason === undefined ? view : withNotice(view, { level, text: reason, ...hintFor(event.error) })
    }
    case 'agent_settled': {
      const { running: _, retry: __, ...rested } = view
      return rested
    }
    default:
      return foldOther(view, received)
  }
}

function foldOther(view: View, { event, at = 0 }: ReceivedEvent): View {
  switch (event.type) {
    case 'queue_update':
      return { ...view, queue: foldQueue(view.queue, event) }
    case 'ui_request':
    case 'ui_resolved':
      return { ...view, requests: foldRequests(view.requests, event) }
    case 'job_start':
    case 'job_end':
      return { ...view, jobs: foldJobs(view.jobs, event) }
    case 'model_change':
    case 'thinking_level_change':
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
    case 'auto_retry': {
      const reason = event.message ?? event.kind
      return { ...view, retry: { attempt: event.attempt, at: at + event.delayMs, reason } }
    }
    case 'model_fallback': {
      const text = `${event.from ?? 'the model'} failed (${event.kind}); going on with ${event.to ?? 'another model'}`
      return withNotice(view, { level: 'warning', text })
    }
    case 'compaction':
    case 'branch_summary': {
      const title =
        event.type === 'compaction' ? 'What came before was summarised' : 'Summary of the branch that was left'
      const item = { kind: 'summary', id: event.entryId, title, text: event.summary } as const
      return { ...view, live: [...view.live, item], contextTokens: event.tokensAfter }
    }
    case 'head_moved':
      return withNotice(view, { level: 'info', text: 'The conversation went back to an earlier entry' })
    case 'files_restored':
      return withNotice(view, { level: 'info', text: `${event.paths.length} files were put back` })
    case 'warning':
    case 'error':
    case 'status':
      return withNotice(view, { level: levels[event.type], text: event.message })
    default:
      return view
  }
}

const levels = { warning: 'warning', error: 'error', status: 'info' } as const
type Chosen = Pick<View, 'model' | 'thinkingLevel' | 'activeTools'> & { readonly title?: string }

/** An input that waited is delivered; the model answers again. */
function started(view: View, message: Message, queueId: string | undefined): View {
  if (message.role === 'assistant') {
    const { retry: _, ...answering } = view
    return answering
  }
  if (queueId === undefined) return view
  return { ...view, queue: withoutInput(view.queue, queueId), delivering: queueId }
}
