// Folds a session's events into the state that AG-UI front ends mirror, and patches it.
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { foldQueue, withoutInput } from '../../streams/state/fold-inputs.ts'
import type { SessionStatus } from '../../streams/state/session-status.ts'
import type { AgUiInterrupt, AgUiState, JsonPatchOperation } from './ag-ui-events.ts'

export const emptyAgUiState: AgUiState = { queue: [], questions: [] }

/** The state of a session that runs already. */
export function agUiStateOf(status: SessionStatus): AgUiState {
  const { model, thinkingLevel, activeTools: tools, approvalMode, scenario, title, plan, queue, requests } = status
  return {
    ...(model === undefined ? {} : { model }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(tools === undefined ? {} : { tools }),
    ...(approvalMode === undefined ? {} : { approvalMode }),
    ...(scenario === undefined ? {} : { scenario: `${scenario.scenario}:${scenario.phase}` }),
    ...(title === undefined ? {} : { info: { title } }),
    ...(plan === undefined ? {} : { plan }),
    queue,
    questions: [...requests, ...(status.questions ?? [])].filter(isQuestion).map(interruptOf),
  }
}

/** The members that an event changes; undefined if it changes none. */
export function changedMembers(state: AgUiState, event: AgentEvent): Partial<AgUiState> | undefined {
  switch (event.type) {
    case 'agent_start':
      return { model: event.model, thinkingLevel: event.thinkingLevel, tools: event.tools }
    case 'model_change':
      return { model: event.to }
    case 'thinking_level_change':
      return { thinkingLevel: event.to }
    case 'active_tools_change':
      return { tools: event.to }
    case 'approval_mode_change':
      return { approvalMode: event.to }
    case 'scenario_change':
      return { scenario: event.to }
    case 'session_info_change':
      return { info: event.to }
    case 'plan_update':
      return { plan: event.items }
    case 'queue_update':
      return { queue: foldQueue(state.queue, event) }
    case 'message_start':
      return delivered(state, event.queueId)
    case 'ui_request':
    case 'question':
      return isQuestion(event) ? { questions: [...state.questions, interruptOf(event)] } : undefined
    case 'ui_resolved':
    case 'question_resolved':
      return { questions: state.questions.filter(({ id }) => id !== event.requestId) }
    default:
      return undefined
  }
}

/** The patch of the changed members. */
export function patchOf(changed: Partial<AgUiState>): readonly JsonPatchOperation[] {
  return Object.entries(changed).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }))
}

type Question = EventNamed<'ui_request'> | EventNamed<'question'>

/** False for a notice, which waits for no answer. */
export function isQuestion(event: AgentEvent): event is Question {
  return (event.type === 'ui_request' || event.type === 'question') && event.kind !== 'notify'
}

function interruptOf({ type: _, requestId, kind, text, toolCallId, ...fields }: Question): AgUiInterrupt {
  const { schema, ...metadata }: Partial<EventNamed<'question'>> = fields as Partial<EventNamed<'question'>>
  return {
    id: requestId,
    reason: kind,
    message: text,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(schema === undefined ? {} : { responseSchema: schema }),
    metadata,
  }
}

/** The input that a message delivers has left its queue. */
function delivered({ queue }: AgUiState, queueId: string | undefined): Partial<AgUiState> | undefined {
  const left = withoutInput(queue, queueId)
  return left === queue ? undefined : { queue: left }
}
