// Puts the arguments of a command into a prompt template.
// Guarantees: what an argument holds is text; placeholders in it are not replaced.

const placeholder =
  /\$(?:\{(@|ARGUMENTS|\d{1,3})(?::(?:-([^}]*)|(\d{1,6})(?::(\d{1,6}))?))?\}|(@|ARGUMENTS\b|\d{1,3}))/g

/**
 * `$1` is one argument, `$@` and `$ARGUMENTS` all as typed, `${@:2}` those from the second on and `${@:2:3}` three of
 * them; `${1:-text}` is the text if the argument is missing or empty. A template without a placeholder gets the
 * arguments after it.
 */
export function expandTemplate(body: string, args: string): string {
  const all = args.trim()
  const words = splitArguments(all)
  const text = body.replaceAll(placeholder, (...groups: readonly (string | undefined)[]) => {
    const [, braced, fallback, from, count, bare] = groups
    const name = braced ?? bare ?? ''
    if (from !== undefined) return sliceWords(name === '@' || name === 'ARGUMENTS' ? words : [], from, count)
    const value = name === '@' || name === 'ARGUMENTS' ? all : (words[Number(name) - 1] ?? '')
    return value === '' ? (fallback ?? '') : value
  })
  const isUsed = body.search(placeholder) !== -1
  return (isUsed || all === '' ? text : `${text}\n\n${all}`).trim()
}

function sliceWords(words: readonly string[], from: string, count: string | undefined): string {
  const start = Math.max(0, Number(from) - 1)
  return words.slice(start, count === undefined ? undefined : start + Number(count)).join(' ')
}

/** Words at white space; one in quotes is one word. A quote inside a word, as in don't, is a letter. */
export function splitArguments(text: string): readonly string[] {
  const found = text.matchAll(/"([^"]*)"(?=\s|$)|'([^']*)'(?=\s|$)|(\S+)/g)
  return Array.from(found, ([, double, single, bare]) => double ?? single ?? bare ?? '')
}
