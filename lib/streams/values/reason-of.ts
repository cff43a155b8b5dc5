// Anything can be thrown, also what has no text; whoever tells of it must not fail over that.

/** What a thrown value says: an error's message, or its name where it has none; anything else as text. Never throws. */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
  } catch {
    return 'what was thrown has no text'
  }
}
