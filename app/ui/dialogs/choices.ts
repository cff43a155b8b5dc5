// Lists the choices of a question and picks the safe one as the default of Enter.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { OpenQuestion } from '../view/fold-questions.ts'

/** A choice answers, fills a field, or changes between one question and all open ones. */
export type Picked =
  | { readonly type: 'answer'; readonly outcome: unknown; readonly text?: string }
  | { readonly type: 'together' }
  | { readonly type: 'single' }
  /** Of one field of a form; `value` if it was chosen. */
  | { readonly type: 'field'; readonly text: string; readonly value?: unknown }

export interface Choice {
  readonly label: string
  /** Letter key of the choice. */
  readonly letter?: string
  readonly picked: Picked
  /** The user types or edits a text first. */
  readonly typed?: {
    readonly title: string
    /** Default ''. */
    readonly initial?: string
    /** The text has rows. Default: false. */
    readonly isMultiline?: boolean
    /** The answer with the text. */
    answer(text: string): Picked
  }
}

type Request = EventNamed<'ui_request'>
type Question = EventNamed<'question'>

/** Empty for a question that only a text answers. */
export function choicesOf(question: OpenQuestion): readonly Choice[] {
  return question.type === 'ui_request' ? requestChoices(question) : questionChoices(question)
}

const wordTitle = 'Message to the model'
const denyLabel = 'No'
const denyWordLabel = 'No, and tell the model why'

const approvals = {
  once: { label: 'Yes, this once', letter: 'y' },
  session: { label: 'Yes, for the rest of this session', letter: 's' },
  project: { label: 'Yes, always in this project', letter: 'a' },
  deny: { label: denyLabel, letter: 'n' },
} as const

function requestChoices({ kind, choices = ['once', 'deny'], options = [] }: Request): readonly Choice[] {
  switch (kind) {
    case 'approval': {
      const deny = { ...approvals.deny, picked: answer('deny') }
      const denyWithWord: Choice = {
        label: denyWordLabel,
        letter: 'e',
        picked: answer('deny'),
        typed: { title: wordTitle, answer: (text) => answer('deny', text) },
      }
      const yes = choices.filter((name) => name !== 'deny')
      return [deny, denyWithWord, ...yes.map((name) => ({ ...approvals[name], picked: answer(name) }))]
    }
    case 'confirm':
      return [
        { label: denyLabel, letter: 'n', picked: answer(false) },
        { label: 'Yes', letter: 'y', picked: answer(true) },
      ]
    case 'select':
      return options.map((option) => ({ label: option, picked: answer(option) }))
    default:
      return []
  }
}

/** Of an approval: no, no with a word, then yes from the least to the most; of another kind, its choices or options. */
function questionChoices({ kind, source, choices, options, pattern, text: shown }: Question): readonly Choice[] {
  if (source === 'core' && kind === 'plan') return planChoices(shown)
  if (source === 'core' && kind === 'phase') return phaseChoices
  if (kind === 'form' || kind === 'url') return requestOfServer(kind)
  if (kind !== 'approval') {
    return (choices ?? options ?? []).map((choice) => ({ label: choice, picked: answer({ choice }) }))
  }
  return [
    { ...approvals.deny, picked: answer({ choice: 'deny' }) },
    {
      label: denyWordLabel,
      letter: 'e',
      picked: answer({ choice: 'deny' }),
      typed: {
        title: wordTitle,
        answer: (text) => answer({ choice: 'deny', ...(text.trim() === '' ? {} : { text }) }),
      },
    },
    ...(choices ?? ['once', 'deny']).flatMap((choice) => yesChoice(choice, pattern)),
  ]
}

function planChoices(plan: string): readonly Choice[] {
  const accept = { choice: 'accept' }
  const reject = (text: string): Picked => answer({ choice: 'reject', ...(text.trim() === '' ? {} : { text }) })
  const accepted = (text: string): Picked => answer(text.trim() === '' || text === plan ? accept : { ...accept, text })
  return [
    { label: 'Go on planning', letter: 'n', picked: answer({ choice: 'reject' }) },
    {
      label: 'Go on planning, and say what is missing',
      letter: 'm',
      picked: answer({ choice: 'reject' }),
      typed: { title: wordTitle, answer: reject },
    },
    { label: 'Yes, carry it out', letter: 'y', picked: answer(accept) },
    {
      label: 'Yes, with changes',
      letter: 'e',
      picked: answer(accept),
      typed: { title: 'The plan that counts; edit it', initial: plan, isMultiline: true, answer: accepted },
    },
  ]
}

/** An MCP server asks: no is first, as for everything that leaves the machine. */
function requestOfServer(kind: 'form' | 'url'): readonly Choice[] {
  return [
    { label: 'No', letter: 'n', picked: answer({ choice: 'decline' }) },
    {
      label: kind === 'form' ? 'Answer: the server gets what you type' : 'Yes: I have opened the page',
      letter: 'y',
      picked: answer({ choice: 'accept' }),
    },
    { label: 'Not now', letter: 'c', picked: answer({ choice: 'cancel' }) },
  ]
}

const phaseChoices: readonly Choice[] = [
  { label: 'Stay in this phase', letter: 'n', picked: answer({ choice: 'stay' }) },
  { label: 'Yes, go on', letter: 'y', picked: answer({ choice: 'enter' }) },
]

function yesChoice(choice: string, pattern: string | undefined): readonly Choice[] {
  switch (choice) {
    case 'deny':
      return []
    case 'once':
      return [{ ...approvals.once, picked: answer({ choice }) }]
    case 'session':
      return [{ ...approvals.session, picked: answer({ choice }) }]
    case 'always':
      return pattern === undefined ? [] : [alwaysChoice(pattern)]
    default:
      return [{ label: choice, picked: answer({ choice }) }] // of a newer server
  }
}

function alwaysChoice(pattern: string): Choice {
  const always = (edited: string): Picked => answer({ choice: 'always', pattern: edited })
  return {
    label: `Yes, always for ${pattern}`,
    letter: 'a',
    picked: always(pattern),
    typed: {
      title: 'Always allow what this pattern covers; edit it first if you like',
      initial: pattern,
      answer: (text) => always(text.trim()),
    },
  }
}

function answer(outcome: unknown, text?: string): Picked {
  return { type: 'answer', outcome, ...(text === undefined || text === '' ? {} : { text }) }
}

/** The answer of a text, for a question without choices. */
export function textAnswer({ type }: OpenQuestion, text: string): Picked {
  return answer(type === 'ui_request' ? text : { choice: 'answer', text })
}

/** Index of the safe choice: deny for an approval; else the default of the question, no, or the first option. */
export function initialChoice(question: OpenQuestion, choices: readonly Choice[]): number {
  if (question.kind === 'approval') return 0
  const usual = question.type === 'ui_request' ? question.default : question.default?.choice
  const found = choices.findIndex(({ picked }) => picked.type === 'answer' && choiceIn(picked.outcome) === usual)
  return Math.max(0, found)
}

function choiceIn(outcome: unknown): unknown {
  return typeof outcome === 'object' && outcome !== null && 'choice' in outcome ? outcome.choice : outcome
}

/** The answer of Esc. */
export function declineAnswer(question: OpenQuestion): Picked {
  const { type, kind } = question
  if (type === 'question')
    return answer({ choice: question.default?.choice ?? (kind === 'approval' ? 'deny' : 'cancel') })
  if (kind === 'approval') return answer('deny')
  return answer(kind === 'confirm' ? false : null)
}

/** Opens the view of all `count` approvals. */
export function togetherChoice(count: number): Choice {
  return { label: `Answer all ${count} together`, letter: 't', picked: { type: 'together' } }
}

export const togetherChoices: readonly Choice[] = [
  { label: 'No to all', letter: 'n', picked: answer({ choice: 'deny' }) },
  { label: 'Yes, all of them, this once', letter: 'y', picked: answer({ choice: 'once' }) },
  { label: 'One by one', letter: 'o', picked: { type: 'single' } },
]
