// Joins messages for people to one text of whole sentences.

/** Adds a full stop to each text that ends without a mark, and a space between them. */
export function joinSentences(texts: readonly string[]): string {
  return texts.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ')
}
