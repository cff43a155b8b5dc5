// What was chosen for a session holds from its event on, until something else is chosen.
import type { EventNamed } from '../events/event.ts'
import type { QueuedInput } from './fold-queue.ts'
import type { ThinkingLevel } from '../models/thinking-level.ts'

export interface ChosenSettings {
  readonly model?: string
  readonly thinkingLevel?: ThinkingLevel
  readonly activeTools?: readonly string[]
  /** Those that were chosen; the others are `one-at-a-time`, or what the settings say. */
  readonly queueModes?: Readonly<Partial<Record<QueuedInput['queue'], 'one-at-a-time' | 'all'>>>
  /** What it was renamed to: '' where its title was taken away; absent where that of line 1 holds. */
  readonly title?: string
}

export type SettingsEvent = EventNamed<
  'model_change' | 'thinking_level_change' | 'active_tools_change' | 'queue_mode_change' | 'session_info_change'
>

/** One choice more. */
export function foldSettings<State extends ChosenSettings>(state: State, event: SettingsEvent): State {
  switch (event.type) {
    case 'model_change':
      return { ...state, model: event.to }
    case 'thinking_level_change':
      return { ...state, thinkingLevel: event.to }
    case 'active_tools_change':
      return { ...state, activeTools: event.to }
    case 'queue_mode_change':
      return { ...state, queueModes: { ...state.queueModes, [event.queue]: event.to } }
    case 'session_info_change': {
      const { title } = event.to
      return typeof title === 'string' ? { ...state, title } : state
    }
  }
}
