// Lists the choices of a question and picks the safe one as the default of Enter.
import type { EventNamed } from '../../../lib/streams/events/event.ts'

type Request = EventNamed<'ui_request'>

export interface Choice {
  readonly label: string
  /** Value for `ui_response`. */
  readonly outcome: unknown
  /** Letter key of the choice. */
  readonly letter?: string
  /** The user types a text for the model first. */
  readonly withText?: boolean
}

const approvals = {
  once: { label: 'Yes, this once', outcome: 'once', letter: 'y' },
  session: { label: 'Yes, for the rest of this session', outcome: 'session' },
  project: { label: 'Yes, always in this project', outcome: 'project' },
  deny: { label: 'No', outcome: 'deny', letter: 'n' },
} as const satisfies Record<string, Choice>

const denyWithReason: Choice = { label: 'No, and tell the model why', outcome: 'deny', withText: true }

/** Empty for a question without choices: `input`. */
export function choicesOf({ kind, choices = ['once', 'deny'], options = [] }: Request): readonly Choice[] {
  switch (kind) {
    case 'approval':
      return [
        approvals.deny,
        denyWithReason,
        ...choices.filter((name) => name !== 'deny').map((name) => approvals[name]),
      ]
    case 'confirm':
      return [
        { label: 'No', outcome: false, letter: 'n' },
        { label: 'Yes', outcome: true, letter: 'y' },
      ]
    case 'select':
      return options.map((option) => ({ label: option, outcome: option }))
    default:
      return []
  }
}

/** Index of the safe choice: deny for an approval; else the default of the question, no, or the first option. */
export function initialChoice(request: Request, choices: readonly Choice[]): number {
  if (request.kind === 'approval') return 0
  return Math.max(
    0,
    choices.findIndex(({ outcome }) => outcome === request.default),
  )
}

/** The outcome of Esc. */
export function declineOutcome({ kind }: Request): unknown {
  if (kind === 'approval') return 'deny'
  return kind === 'confirm' ? false : null
}
