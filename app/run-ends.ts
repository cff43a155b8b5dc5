// A run has ended for a client when it is settled; what counts of it is its `agent_end` and the last answer.
import { filter, map, scan } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { ReceivedEvent } from '../lib/server/client-event.ts'
import type { AgentEvent, EventNamed } from '../lib/streams/event.ts'

export interface RunEnd {
  readonly runId: string | undefined
  readonly end: EventNamed<'agent_end'>
  /** The text of the run's last assistant message, its blocks on lines of their own; '' where it has none. */
  readonly answer: string
}

interface Seen {
  readonly answer: string
  readonly end?: EventNamed<'agent_end'>
  readonly settled?: RunEnd
}

/** Emits at each `agent_settled` of a run whose `agent_end` was seen. Completes and fails with its source; keeps one answer. */
export function runEnds(): OperatorFunction<ReceivedEvent, RunEnd> {
  return (events$) =>
    events$.pipe(
      scan(see, { answer: '' } as Seen),
      map(({ settled }) => settled),
      filter((settled) => settled !== undefined),
    )
}

function see({ answer, end }: Seen, { event, runId }: ReceivedEvent): Seen {
  switch (event.type) {
    case 'agent_start':
      return { answer: '' }
    case 'message_end':
      return { answer: textOf(event) ?? answer }
    case 'agent_end':
      return { answer, end: event }
    case 'agent_settled':
      return end === undefined ? { answer } : { answer: '', settled: { runId, end, answer } }
    default:
      return end === undefined ? { answer } : { answer, end }
  }
}

function textOf({ message }: Extract<AgentEvent, { type: 'message_end' }>): string | undefined {
  if (message.role !== 'assistant') return undefined
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}
