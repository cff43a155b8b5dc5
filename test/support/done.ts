// Runs generators of steps to their end.

/** Runs a generator to its end and returns its result. */
export function done<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
