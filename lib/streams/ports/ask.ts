// What may be asked of a person, and what comes of it: always one outcome, also where nobody is there or nobody answers.
import type { Observable } from 'rxjs'
import type { EventNamed } from '../events/event.ts'

/** A question of a tool or a program; approvals are asked by the session alone. */
export interface Question {
  /** `confirm` yes or no, `select` one of `options`, `input` a text; `notify` is only shown: nobody waits for it. */
  readonly kind: 'confirm' | 'select' | 'input' | 'notify'
  /** Shown as it is, 64 Ki characters at most. */
  readonly text: string
  /** Of `select`: 1 to 1,000. */
  readonly options?: readonly string[]
  /** The outcome where nobody answers. Default: false of `confirm`, null of the others. */
  readonly default?: unknown
  /** Milliseconds after which the default counts. Default: none. */
  readonly timeoutMs?: number
}

/** What came of it. */
export interface Answer extends Pick<EventNamed<'ui_resolved'>, 'outcome' | 'text'> {
  /** Who decided: a client, the question's own time, or the default: nobody could answer, or the run was ended. */
  readonly by: Exclude<EventNamed<'ui_resolved'>['by'], 'recovery'>
}

/**
 * Cold: each subscription asks once, emits one answer and completes; the answer is in the log by then. Unsubscribing before
 * that resolves the question with its default. Fails with `bad_request` where the question does not fit, `overloaded` where
 * 1,000 are open in the session, `storage` where it cannot be written.
 */
export type Ask = (question: Question) => Observable<Answer>

// What counts where nobody answers: an approval is denied, whatever it says; anything else is what its asker said, or no answer.

/** The outcome of a request that no person decides: `deny` of an approval, else its `default`; without one false (`confirm`) or null. */
export function defaultOutcome({ kind, default: own }: Pick<EventNamed<'ui_request'>, 'kind' | 'default'>): unknown {
  if (kind === 'approval') return 'deny'
  return own ?? (kind === 'confirm' ? false : null)
}

// An answer fits its question, or says what would: each kind has its own values.

/** Why this cannot be the outcome of the request; undefined where it can. */
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
