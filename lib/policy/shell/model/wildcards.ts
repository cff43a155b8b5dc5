// Matches a text with a pattern in which `*` stands for any characters, also none.

/** Takes time in the product of the lengths. */
export function matchesWildcards(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let from = first.length
  const end = text.length - last.length
  for (const piece of rest) {
    const at = text.indexOf(piece, from)
    if (at < 0 || at + piece.length > end) return false
    from = at + piece.length
  }
  return true
}
