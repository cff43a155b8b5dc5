// What people are told of a choice that was made for them.

export interface Notice {
  /** For programs: `model_chosen` … */
  readonly code: string
  /** One sentence, ended by a full stop. */
  readonly message: string
}
