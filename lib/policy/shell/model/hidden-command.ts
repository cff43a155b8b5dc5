// Finds a command in the index of an array: bash runs it when it evaluates the text.

/** True for `a[$(rm x)]`: quotes around the text change nothing. */
export function hidesCommand(text: string): boolean {
  return text.includes('[') && (text.includes('$(') || text.includes('`'))
}

/** Why such a text asks. */
export const hiddenCommandReason = 'arithmetic would run the command in the index'
