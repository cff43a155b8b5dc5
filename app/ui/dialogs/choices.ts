// What a question can be answered with, in the order in which it is offered, and which of it Enter takes unless another is chosen.
import type { EventNamed } from '../../../lib/streams/events/event.ts'

type Request = EventNamed<'ui_request'>

export interface Choice {
  readonly label: string
  /** As `ui_response` takes it. */
  readonly outcome: unknown
  /** A letter that takes it. */
  readonly letter?: string
  /** A text for the model is asked for first. */
  readonly withText?: boolean
}

const approvals = {
  once: { label: 'Yes, this once', outcome: 'once', letter: 'y' },
  session: { label: 'Yes, for the rest of this session', outcome: 'session' },
  project: { label: 'Yes, always in this project', outcome: 'project' },
  deny: { label: 'No', outcome: 'deny', letter: 'n' },
} as const satisfies Record<string, Choice>

const explained: Choice = { label: 'No, and tell the model why', outcome: 'deny', withText: true }

/** Empty for what is no choice: `input`. */
export function choicesOf({ kind, choices = ['once', 'deny'], options = [] }: Request): readonly Choice[] {
  switch (kind) {
    case 'approval':
      return [approvals.deny, explained, ...choices.filter((name) => name !== 'deny').map((name) => approvals[name])]
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

/** The safe one: an approval is denied; a question has its default, else no, else its first option. */
export function initialChoice(request: Request, choices: readonly Choice[]): number {
  if (request.kind === 'approval') return 0
  return Math.max(
    0,
    choices.findIndex(({ outcome }) => outcome === request.default),
  )
}

/** What Esc answers. */
export function declined({ kind }: Request): unknown {
  if (kind === 'approval') return 'deny'
  return kind === 'confirm' ? false : null
}
