// Quotes text as one word of a POSIX shell.

/** Plain words stay as they are, so that a person can read them. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
