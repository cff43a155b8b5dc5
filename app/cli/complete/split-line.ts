// Splits a line of a shell into words, for completion: quotes and backslashes, no expansion.

/**
 * Returns the words up to the end of the line; the last one is '' after a space. An open quote goes to the end. The
 * text of a substitution stays as it is: completing a line runs nothing that is written in it.
 */
export function splitLine(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [, single, double, escaped, space, plain] of line.matchAll(part)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
  }
  return [...words, word ?? '']
}

const part = /'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\(.?)|(\s+)|([^\s'"\\]+)/gs
