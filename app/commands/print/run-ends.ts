// A run has ended for a client when it is settled; what counts of it is its `agent_end` and the last answer.
import { filter, map, scan } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'

export interface RunEnd {
  readonly runId: string | undefined
  readonly end: EventNamed<'agent_end'>
  /** The text of the run's last assistant message, its blocks on lines of their own; '' where it has none. */
  readonly answer: string
  /** The last assistant message ended at the model's output limit. */
  readonly isCut: boolean
}

interface Seen {
  readonly answer: string
  readonly isCut: boolean
  readonly end?: EventNamed<'agent_end'>
  readonly settled?: RunEnd
}

/** Emits at each `agent_settled` of a run whose `agent_end` was seen. Completes and fails with its source; keeps one answer. */
export function runEnds(): OperatorFunction<ReceivedEvent, RunEnd> {
  return (events$) =>
    events$.pipe(
      scan(see, nothing),
      map(({ settled }) => settled),
      filter((settled) => settled !== undefined),
    )
}

const nothing: Seen = { answer: '', isCut: false }

function see(seen: Seen, { event, runId }: ReceivedEvent): Seen {
  const { answer, isCut, end } = seen
  switch (event.type) {
    case 'agent_start':
      return nothing
    case 'message_end':
      return event.message.role === 'assistant' ? answered(event.message) : { answer, isCut }
    case 'agent_end':
      return { answer, isCut, end: event }
    case 'agent_settled':
      return end === undefined ? { answer, isCut } : { ...nothing, settled: { runId, end, answer, isCut } }
    default:
      return end === undefined ? { answer, isCut } : { answer, isCut, end }
  }
}

function answered({ content, stopReason }: AssistantMessage): Seen {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return { answer: texts.join('\n'), isCut: stopReason === 'length' }
}
