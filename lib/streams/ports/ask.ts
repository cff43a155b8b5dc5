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
