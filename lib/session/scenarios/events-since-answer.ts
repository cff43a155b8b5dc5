// Reads the logged events since the last answer of the model that bear on the phase.
import type { AgentEvent } from '../../streams/events/event.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { contextEntries } from '../../streams/state/context-messages.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'

const types: ReadonlySet<string> = new Set(['tool_execution_end', 'scenario_change', 'warning'])

/**
 * Yields the ends of the answer's calls, the changes of the phase and the warnings, in order. Lazy: reads the context and the
 * end of the log when it is iterated.
 */
export function* eventsSinceAnswer(log: Pick<SessionLog, 'records'>, state: SessionState): Generator<AgentEvent> {
  const answer = contextEntries(state).findLast(({ message }) => message.role === 'assistant')
  if (answer?.message.role !== 'assistant') return
  const calls = new Set(innerCalls(answer.message.content).map(({ id }) => id))
  for (const { event } of log.records(answer.seq, types))
    if (event.type !== 'tool_execution_end' || calls.has(event.toolCallId)) yield event
}
