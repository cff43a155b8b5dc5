// Splits names and sentences into the words that search_tools compares.

/** Words of a name or a text are cut here: `HTTPServer`, `readFile`, `sha256Sum`. */
const humps = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const separators = /[^\p{L}\p{N}]+/u
const marks = /\p{M}/gu
/** Longest text that is read, in UTF-16 units: the descriptions of others have no other bound. */
const longest = 4_096

/** English words of a request that are no words of a tool. */
const fillers = new Set(
  'a an and are at be by can could do for from how i in is it me my need of on or our please some that the this to want we what when which who will with would you your'.split(
    ' ',
  ),
)

/** The words of a query without those that fit every tool; all of a query that has no others. */
export function queryWords(query: string): string[] {
  const words = searchWords(query)
  const own = words.filter((word) => !fillers.has(word))
  return own.length === 0 ? words : own
}

/**
 * The words in lower case, without accents: camel case, snake case and every other separator split them. `getUTF8File`
 * has `get`, `utf8` and `file`.
 */
export function searchWords(text: string): string[] {
  return text
    .slice(0, longest)
    .normalize('NFD')
    .replace(marks, '')
    .split(separators)
    .flatMap((word) => word.split(humps))
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}
