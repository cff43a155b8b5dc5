// Folds plans and the questions that `ui_request` cannot ask.
import type { AgentEvent, EventNamed } from '../events/event.ts'

type OpenQuestion = EventNamed<'question'>

export interface FeatureState {
  /** Open questions of the kinds that `ui_request` does not have, in order. */
  readonly questions: readonly OpenQuestion[]
  /** The plan as the agent last wrote it; empty before. */
  readonly plan: EventNamed<'plan_update'>['items']
}

/** Applies one event; the same state if the event is of another kind. */
export function foldFeature<State extends FeatureState>(state: State, event: AgentEvent): State {
  switch (event.type) {
    case 'question':
      return { ...state, questions: [...state.questions, event] }
    case 'question_resolved':
      return { ...state, questions: state.questions.filter(({ requestId }) => requestId !== event.requestId) }
    case 'plan_update':
      return { ...state, plan: event.items }
    default:
      return state
  }
}
