// Collects the end of each run: its `agent_end` and its last answer, when the run is settled.
import { filter, map, scan } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { ReceivedEvent, ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'

export interface RunEnd {
  readonly runId: string | undefined
  readonly end: EventNamed<'agent_end'>
  /** Text of the last assistant message, one block a line; '' if there is none. */
  readonly answer: string
  /** The last assistant message reached the output limit of the model. */
  readonly isCut: boolean
}

interface RunSummary {
  readonly answer: string
  readonly isCut: boolean
  readonly end?: EventNamed<'agent_end'>
  readonly settled?: RunEnd
}

/** Emits at each `agent_settled` that follows an `agent_end`. Ends with its source; buffers one answer. */
export function toRunEnds(): OperatorFunction<ReceivedEvent, RunEnd> {
  return (events$) =>
    events$.pipe(
      scan(summarise, nothing),
      map(({ settled }) => settled),
      filter((settled) => settled !== undefined),
    )
}

const nothing: RunSummary = { answer: '', isCut: false }

function summarise(summary: RunSummary, { event, runId }: ReceivedEvent): RunSummary {
  const { answer, isCut, end } = summary
  switch (event.type) {
    case 'agent_start':
      return nothing
    case 'message_end':
      return event.message.role === 'assistant' ? summaryOf(event.message) : { answer, isCut }
    case 'agent_end':
      return { answer, isCut, end: event }
    case 'agent_settled':
      return end === undefined ? { answer, isCut } : { ...nothing, settled: { runId, end, answer, isCut } }
    default:
      return end === undefined ? { answer, isCut } : { answer, isCut, end }
  }
}

function summaryOf({ content, stopReason }: AssistantMessage): RunSummary {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return { answer: texts.join('\n'), isCut: stopReason === 'length' }
}

/** True for an event of the session, false for a notice about the connection. */
export function isReceived(event: ClientEvent): event is ReceivedEvent {
  return event.type === 'event'
}
