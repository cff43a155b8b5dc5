// Reads option values and quoted texts out of words.

/**
 * The value of the first option among `names` (`-c`, `--command`), joined or as the next word; flags may be bundled.
 */
export function optionValue(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, word] of args.entries()) {
    if (word === '--') return undefined
    for (const name of names) {
      if (word === name) return args[index + 1]
      if (name.startsWith('--') && word.startsWith(`${name}=`)) return word.slice(name.length + 1)
      if (
        !name.startsWith('--') &&
        name.length === 2 &&
        /^-[A-Za-z]{2,8}$/.test(word) &&
        word.endsWith(name.slice(1))
      ) {
        return args[index + 1]
      }
    }
  }
  return undefined
}

/** Texts between quotes, without their escapes. */
export function literals(code: string, quotes: string): string[] {
  const found: string[] = []
  for (let at = 0; at < code.length; at++) {
    const quote = code[at] ?? ''
    if (!quotes.includes(quote)) continue
    let text = ''
    for (at++; at < code.length && code[at] !== quote; at++) {
      if (code[at] === '\\') at++
      text += code[at] ?? ''
    }
    found.push(text)
  }
  return found
}
