// One thing that a person may mean with `@…` or `/…`.

export interface Suggestion {
  /** What stands in the list. */
  readonly label: string
  /** What is put in, the mark included. */
  readonly value: string
  readonly description?: string
}
