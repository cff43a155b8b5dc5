// Folds queues, open questions, deferred messages and command traces from events.
// Everything is matched by id.
import type { EventNamed, AgentEvent } from '../events/event.ts'
import type { Invocation, UserContent, Message } from '../messages/message.ts'
import { bashExecutionIn } from '../messages/bash-execution.ts'
import type { SessionRecord } from '../log/log-line.ts'

/** A queued input. */
export interface QueuedInput {
  readonly queueId: string
  readonly queue: 'steering' | 'followUp'
  readonly content: string | readonly UserContent[]
  /** How it came about, if not as plain text. */
  readonly invocation?: Invocation
}

/** Applies one `queue_update`; returns the same queue if nothing changes. */
export function foldQueue(queue: readonly QueuedInput[], event: EventNamed<'queue_update'>): readonly QueuedInput[] {
  const { queueId, content = '', invocation } = event
  const input = { content, ...(invocation === undefined ? {} : { invocation }) }
  switch (event.op) {
    case 'add':
      return queueId === undefined ? queue : [...queue, { queueId, queue: event.queue, ...input }]
    case 'edit':
      return queue.map((each) => (each.queueId === queueId ? { queueId, queue: each.queue, ...input } : each))
    case 'take':
    case 'remove':
      return withoutInput(queue, queueId)
    case 'clear':
      return queue.filter((input) => input.queue !== event.queue)
  }
}

/**
 * The queue without one input. Usually the first is removed: a `filter` over 10,000 inputs took twenty times as long
 * for each.
 */
export function withoutInput(queue: readonly QueuedInput[], queueId: string | undefined): readonly QueuedInput[] {
  if (queueId === undefined) return queue
  for (let index = 0; index < queue.length; index++) {
    if (queue[index]?.queueId === queueId) return index === 0 ? queue.slice(1) : queue.toSpliced(index, 1)
  }
  return queue
}

type UiRequest = EventNamed<'ui_request'>

/**
 * The open questions after one event, in order: open from `ui_request` to `ui_resolved`. The same list if nothing
 * changes.
 */
export function foldRequests(
  requests: readonly UiRequest[],
  event: EventNamed<'ui_request' | 'ui_resolved'>,
): readonly UiRequest[] {
  if (event.type === 'ui_request') return [...requests, event]
  const index = requests.findIndex(({ requestId }) => requestId === event.requestId)
  return index === -1 ? requests : requests.toSpliced(index, 1)
}

/**
 * The messages of user commands that ended during a turn; each waits until it stands in the log. The same list if
 * nothing changes.
 */
export function foldDeferred(
  deferred: readonly Message[],
  event: EventNamed<'job_end' | 'message_end'>,
): readonly Message[] {
  if (event.type === 'job_end') return event.message === undefined ? deferred : [...deferred, event.message]
  const jobId = deferred.length === 0 ? undefined : bashExecutionIn(event.message)?.jobId
  return jobId === undefined ? deferred : deferred.filter((message) => bashExecutionIn(message)?.jobId !== jobId)
}

/** A line that a command caused. */
export interface CommandTrace {
  readonly runId: string | undefined
  readonly event: AgentEvent
  /** The number of inputs that a `clear` removed. */
  readonly cleared?: number
}

/** Effects of each `opId`, in order. Changes in place, by a reference or two a command. */
export type CommandTraces = ReadonlyMap<string, readonly CommandTrace[]>

/** Adds the record to its command's trace, if a command caused it. `queue` is the queue before the record. */
export function foldCommand(
  traces: CommandTraces,
  { event, runId, opId }: Pick<SessionRecord, 'event' | 'runId' | 'opId'>,
  queue: readonly QueuedInput[],
): void {
  if (opId === undefined) return
  const known = (traces as Map<string, CommandTrace[]>).get(opId) // changes in place: see CommandTraces
  const trace = traceOf(event, runId, queue)
  if (known === undefined) (traces as Map<string, CommandTrace[]>).set(opId, [trace])
  else known.push(trace)
}

function traceOf(event: AgentEvent, runId: string | undefined, queue: readonly QueuedInput[]): CommandTrace {
  if (event.type !== 'queue_update' || event.op !== 'clear') return { runId, event }
  return { runId, event, cleared: queue.filter((input) => input.queue === event.queue).length }
}
