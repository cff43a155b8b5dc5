// The answers of the user in a situation.
import type { Answers } from './situation.ts'

/** The answers of the user, each used once. */
export class UserAnswers {
  readonly #left: Record<keyof Answers, unknown[]>

  constructor({ select = [], confirm = [], input = [], editor = [], keys = [] }: Answers = {}) {
    this.#left = { select: [...select], confirm: [...confirm], input: [...input], editor: [...editor], keys: [...keys] }
  }

  next<Answer>(kind: keyof Answers, fallback: Answer): Answer | null {
    const left = this.#left[kind]
    return left.length === 0 ? fallback : (left.shift() as Answer | null) // of the list of this kind
  }

  /** The option that a person selects. */
  option(options: readonly string[]): string | undefined {
    const word = this.next('select', options[0] ?? '')
    return word === null ? undefined : options.find((option) => option.startsWith(word))
  }
}
