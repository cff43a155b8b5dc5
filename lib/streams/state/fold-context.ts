// Folds the files whose text the model received: the latest digest of each.
import type { EventNamed } from '../events/event.ts'

export interface ContextState {
  /** Digests of the files that the model was sent, by `contextKey`. */
  readonly contextAdded: Readonly<Record<string, string>>
}

/** The key of `contextAdded`. */
export function contextKey({ kind, path = '' }: { readonly kind: string; readonly path?: string }): string {
  return `${kind}:${path}`
}

export function foldContext<State extends ContextState>(state: State, event: EventNamed<'context_added'>): State {
  return { ...state, contextAdded: { ...state.contextAdded, [contextKey(event)]: event.digest } }
}
