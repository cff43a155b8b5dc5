// What steps come to, done in one go.

/** Runs a generator to its end; what it returns. */
export function done<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
