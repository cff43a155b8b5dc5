// Folds plans and the questions that `ui_request` cannot ask.
import { searchToolsName } from '../messages/inner-call.ts'
import type { AgentEvent, EventNamed } from '../events/event.ts'

type OpenQuestion = EventNamed<'question'>

export interface FeatureState {
  /** Open questions of the kinds that `ui_request` does not have, in order. */
  readonly questions: readonly OpenQuestion[]
  /** The plan as the agent last wrote it; empty before. */
  readonly plan: EventNamed<'plan_update'>['items']
  /** Names of the tools that `search_tools` found, the last one at the end: at most 200. Absent: none. */
  readonly foundTools?: readonly string[]
}

const mostFound = 200

/** Applies one event; the same state if the event is of another kind. */
export function foldFeature<State extends FeatureState>(state: State, event: AgentEvent): State {
  switch (event.type) {
    case 'question':
      return { ...state, questions: [...state.questions, event] }
    case 'question_resolved':
      return { ...state, questions: state.questions.filter(({ requestId }) => requestId !== event.requestId) }
    case 'plan_update':
      return { ...state, plan: event.items }
    case 'tool_set_change':
      return event.source === searchToolsName ? { ...state, foundTools: withFound(state, event.added) } : state
    default:
      return state
  }
}

function withFound({ foundTools = [] }: FeatureState, added: readonly string[]): readonly string[] {
  return [...foundTools.filter((name) => !added.includes(name)), ...added].slice(-mostFound)
}
