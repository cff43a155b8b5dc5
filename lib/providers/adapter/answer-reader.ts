// What reads one wire's events: it emits deltas as they come and says at every moment whether the answer is whole.

export interface AnswerReader {
  /**
   * Undefined: the answer is not whole, and a body that ends now ended early. Otherwise how long the body may go on, in
   * milliseconds: a proper end follows at once and leaves the connection usable for the next request.
   */
  readonly lingerMs: number | undefined
  /** One parsed event and, where the wire names it, its name. @throws Failure for an error that the provider tells, and for what is no event */
  read(event: unknown, name?: string): void
  /** Closes the blocks and emits `done`. @throws Failure where the answer ended early or was refused */
  end(): void
  /** Emits the usage that is known, so that what failed is billed all the same. */
  tellUsage(): void
}
