// What comes from foreign code and goes into the log must have a JSON text; a line that cannot be made would stop the session.

/** Why the value has no JSON text (a BigInt, a circle, a getter that throws); undefined where it has one. */
export function jsonProblem(value: unknown): string | undefined {
  try {
    JSON.stringify(value)
    return undefined
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split('\n') : []
    return `it is not JSON (${reason ?? 'its conversion failed'})`
  }
}
