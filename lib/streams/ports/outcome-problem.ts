// An answer fits its question, or says what would: each kind has its own values.
import type { EventNamed } from '../events/event.ts'

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
