// Converts the events of one session into updates of ACP, in their order.
import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk'
import type { ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { PlanItem } from '../../../lib/streams/events/feature-event-fields.ts'
import type { Message, Usage } from '../../../lib/streams/messages/message.ts'
import { compactionText } from '../../text/compaction-text.ts'
import { CallUpdates } from './call-updates.ts'
import { MessageUpdates, userUpdates } from './message-updates.ts'
import { UsageUpdates } from './usage-updates.ts'

/** An editor's abilities beyond the stable core of ACP. */
export interface UpdateFeatures {
  readonly notices: boolean
  readonly compaction: boolean
  /** It shows output of commands that it does not run as a terminal (`_meta.terminal_output`). */
  readonly showsOutput?: boolean
}

export interface EventUpdatesOptions extends UpdateFeatures {
  /** Absolute folder of the session. */
  readonly cwd: string
  readonly usage?: Usage | undefined
  readonly contextWindow?: number | undefined
  /** True for a prompt of this editor, which shows it itself. */
  isOwn(opId: string): boolean
}

/** Holds open calls and what was sent of the open message. */
export class EventUpdates {
  readonly calls: CallUpdates
  readonly #messages: MessageUpdates
  readonly #usage: UsageUpdates
  readonly #options: EventUpdatesOptions

  constructor(options: EventUpdatesOptions) {
    this.#options = options
    this.calls = new CallUpdates(options.cwd, options.showsOutput)
    this.#messages = new MessageUpdates(this.calls)
    this.#usage = new UsageUpdates(options.usage, options.contextWindow)
  }

  take({ event, opId }: Pick<ReceivedEvent, 'event' | 'opId'>): SessionUpdate[] {
    return [...this.#converted(event, opId), ...this.#usage.take(event)]
  }

  /** Converts a stored message, which costs nothing any more. */
  replay(entryId: string, message: Message): SessionUpdate[] {
    switch (message.role) {
      case 'assistant':
        this.#usage.remember(message.usage)
        return this.#messages.answer(entryId, message)
      case 'toolResult':
        return this.calls.end(message)
      default:
        return userUpdates(entryId, message)
    }
  }

  /** The context and the cost as far as they are known. */
  usage(): SessionUpdate[] {
    return this.#usage.update()
  }

  #converted(event: AgentEvent, opId: string | undefined): SessionUpdate[] {
    switch (event.type) {
      case 'message_update':
        return this.#messages.piece(event.entryId, event.delta)
      case 'message_end':
        return this.#message(event, opId)
      case 'tool_execution_start':
        return this.calls.start(event)
      case 'tool_execution_update':
        this.calls.print(event)
        return []
      case 'tool_execution_end':
        return this.calls.end(event)
      case 'agent_end':
        this.calls.clear()
        return []
      case 'job_end':
        return event.message === undefined ? [] : userUpdates(event.jobId, event.message)
      case 'plan_update':
        return [planUpdate(event.items)]
      case 'session_info_change': {
        const { title } = event.to
        return typeof title === 'string' ? [{ sessionUpdate: 'session_info_update', title }] : []
      }
      default:
        return this.#noticed(event)
    }
  }

  #message({ entryId, message }: EventNamed<'message_end'>, opId: string | undefined): SessionUpdate[] {
    if (message.role === 'assistant') return this.#messages.answer(entryId, message)
    if (message.role === 'user')
      return opId !== undefined && this.#options.isOwn(opId) ? [] : userUpdates(entryId, message)
    return []
  }

  #noticed(event: AgentEvent): SessionUpdate[] {
    const { notices, compaction } = this.#options
    if (event.type === 'compaction' && compaction) return [compactionUpdate(event)]
    const notice = notices ? noticeOf(event) : undefined
    return notice === undefined ? [] : [notice]
  }
}

/** Items that were dropped are left out: ACP has no state for them. */
export function planUpdate(items: readonly PlanItem[]): SessionUpdate {
  const entries = items
    .filter(({ state }) => state !== 'dropped')
    .map(({ text, state }): PlanEntry => ({ content: text, priority: 'medium', status: statusOf(state) }))
  return { sessionUpdate: 'plan', entries }
}

function statusOf(state: string): PlanEntry['status'] {
  if (state === 'in_progress') return 'in_progress'
  return state === 'done' ? 'completed' : 'pending'
}

function compactionUpdate({ entryId, summary }: EventNamed<'compaction'>): SessionUpdate {
  return {
    sessionUpdate: 'compaction_update',
    compactionId: entryId,
    status: 'completed',
    summary: [{ type: 'text', text: summary }],
  }
}

type Severity = 'info' | 'warning' | 'error'

function noticeOf(event: AgentEvent): SessionUpdate | undefined {
  const notice = (severity: Severity, title: string): SessionUpdate | undefined =>
    title === '' ? undefined : { sessionUpdate: 'notice', severity, title }
  switch (event.type) {
    case 'warning':
    case 'error':
      return notice(event.type, event.message)
    case 'auto_retry':
      return notice('info', `The provider failed (${event.kind}); attempt ${event.attempt} follows`)
    case 'model_fallback':
      return notice(
        'info',
        `${event.to ?? 'Another model'} answers: ${event.from ?? 'the model'} failed (${event.kind})`,
      )
    case 'compaction':
      return notice('info', compactionText(event))
    case 'head_moved':
      return notice('info', 'The conversation continues from another entry: load the session again to see it')
    case 'ui_request':
      return event.kind === 'notify' ? notice('info', event.text) : undefined
    default:
      return undefined
  }
}
