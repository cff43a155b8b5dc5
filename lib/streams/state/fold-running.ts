// Folds which model answers the active run.
import type { EventNamed } from '../events/event.ts'

export interface RunningState {
  readonly runId: string | undefined
  /** Of the present turn, from 0 within the run. */
  readonly turnIndex: number
  /** Unix ms of its `agent_start`. */
  readonly startedAt?: number
  /** The model that answers: a fallback, or still the one from before a `set_model`. */
  readonly model?: string
}

/** Applies a turn or a fallback to the active run. */
export function foldRunning<State extends { readonly running?: RunningState }>(
  state: State,
  event: EventNamed<'turn_start' | 'model_fallback'>,
  runId: string | undefined,
): State {
  if (event.type === 'model_fallback') return withAnsweringModel(state, event.to)
  const { running } = state
  return { ...state, running: { ...running, runId: runId ?? running?.runId, turnIndex: event.turnIndex } }
}

/** Returns the model of an answer that begins. */
export function answererOf({ message }: EventNamed<'message_start'>): string | undefined {
  return message.role === 'assistant' ? `${message.provider}/${message.model}` : undefined
}

/** Without a run, or without a model, the state stays the same object. */
export function withAnsweringModel<State extends { readonly running?: RunningState }>(
  state: State,
  model: string | undefined,
): State {
  const { running } = state
  if (running === undefined || model === undefined || running.model === model) return state
  return { ...state, running: { ...running, model } }
}
