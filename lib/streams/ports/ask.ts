// Port for questions to the user.
// Guarantees: exactly one outcome, also if no client is there or none answers.
import type { Observable } from 'rxjs'
import type { EventNamed } from '../events/event.ts'

/** A question of a tool or a program; only the session asks for approvals. */
export interface Question {
  /** `confirm` yes or no, `select` one of `options`, `input` a text; `notify` is shown and not waited for. */
  readonly kind: 'confirm' | 'select' | 'input' | 'notify'
  /** Shown as it is, 64 Ki characters at most. */
  readonly text: string
  /** Of `select`: 1 to 1,000. */
  readonly options?: readonly string[]
  /** The outcome if no client answers. Default: false for `confirm`, null for the others. */
  readonly default?: unknown
  /** Milliseconds after which the default applies. Default: none. */
  readonly timeoutMs?: number
}

/** The outcome. */
export interface Answer extends Pick<EventNamed<'ui_resolved'>, 'outcome' | 'text'> {
  /**
   * The decider: a client, the question's own time limit, or the default because no client could answer or the run
   * ended.
   */
  readonly by: Exclude<EventNamed<'ui_resolved'>['by'], 'recovery'>
}

/**
 * Cold: each subscription asks once, emits one answer and completes; the answer is in the log by then. Unsubscribing
 * before that resolves the question with its default. Fails with `bad_request` if the question is invalid, `overloaded`
 * if 1,000 are open in the session, `storage` if it cannot be written.
 */
export type Ask = (question: Question) => Observable<Answer>

/**
 * The outcome of a request without an answer: `deny` for an approval, else its `default`; without one false (`confirm`)
 * or null.
 */
export function defaultOutcome({ kind, default: own }: Pick<EventNamed<'ui_request'>, 'kind' | 'default'>): unknown {
  if (kind === 'approval') return 'deny'
  return own ?? (kind === 'confirm' ? false : null)
}

/**
 * The outcome of a `question` without an answer: its `default`, else `deny` for an approval and `cancel` for others.
 */
export function defaultQuestionOutcome({
  kind,
  default: own,
}: Pick<EventNamed<'question'>, 'kind' | 'default'>): EventNamed<'question_resolved'>['outcome'] {
  return own ?? { choice: kind === 'approval' ? 'deny' : 'cancel' }
}

/** Why this cannot be the outcome of the request; undefined if it can. Each kind of question has its own values. */
export function outcomeProblem(
  { kind, options = [], choices = [] }: Pick<EventNamed<'ui_request'>, 'kind' | 'options' | 'choices'>,
  outcome: unknown,
): string | undefined {
  const oneOf = (values: readonly string[]): boolean => typeof outcome === 'string' && values.includes(outcome)
  switch (kind) {
    case 'approval':
      return oneOf(choices) ? undefined : `the outcome of an approval is one of ${choices.join(', ')}`
    case 'confirm':
      return typeof outcome === 'boolean' ? undefined : 'the outcome of confirm is true or false'
    case 'select':
      return outcome === null || oneOf(options) ? undefined : 'the outcome of select is one of its options, or null'
    case 'input':
      return outcome === null || typeof outcome === 'string' ? undefined : 'the outcome of input is a text, or null'
    case 'notify':
      return outcome === null ? undefined : 'the outcome of notify is null'
  }
}
