// What counts where nobody answers: an approval is denied, whatever it says; anything else is what its asker said, or no answer.
import type { EventNamed } from '../events/event.ts'

/** The outcome of a request that no person decides: `deny` of an approval, else its `default`; without one false (`confirm`) or null. */
export function defaultOutcome({ kind, default: own }: Pick<EventNamed<'ui_request'>, 'kind' | 'default'>): unknown {
  if (kind === 'approval') return 'deny'
  return own ?? (kind === 'confirm' ? false : null)
}
