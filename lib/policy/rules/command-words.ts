// Matches the words of a simple command with the pattern of a rule, for rules that deny or ask.
// Guarantees: time is linear in pattern and command; a word that is not known may match.
import { matchesWildcards } from '../shell/model/wildcards.ts'

/** `maybe`: a word is not known. */
export type WordMatch = 'yes' | 'maybe' | 'no'

/** The words of a pattern; quotes hold spaces together. */
export function splitPattern(text: string): string[] {
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''))
}

/** Writes Claude Code's `:*` at the end of a pattern as ` *`, and removes the spaces around the pattern. */
export function plainCommandPattern(text: string): string {
  return text.trim().replace(/:\*$/, ' *')
}

/**
 * Word by word; a word `*` is any number of words, a `*` in a word is any text.
 * @param words undefined: not known
 */
export function matchWords(pattern: readonly string[], words: readonly (string | undefined)[]): WordMatch {
  // one row a pattern word: how well the pattern up to there matches the first n words
  let row: WordMatch[] = ['yes', ...words.map((): WordMatch => 'no')]
  for (const [index, part] of pattern.entries()) {
    const next: WordMatch[] = [part === '*' ? (row[0] ?? 'no') : 'no']
    words.forEach((word, at) => {
      if (part === '*') next.push(better(row[at + 1] ?? 'no', next[at] ?? 'no'))
      else next.push(weaker(row[at] ?? 'no', matchWord(part, word, index === 0)))
    })
    row = next
  }
  return row[words.length] ?? 'no'
}

function matchWord(part: string, word: string | undefined, isName: boolean): WordMatch {
  if (word === undefined) return 'maybe'
  if (matchesWildcards(part, word)) return 'yes'
  return isName && matchesWildcards(part, word.slice(word.lastIndexOf('/') + 1)) ? 'yes' : 'no'
}

const order = { no: 0, maybe: 1, yes: 2 } as const

function better(a: WordMatch, b: WordMatch): WordMatch {
  return order[a] >= order[b] ? a : b
}

function weaker(a: WordMatch, b: WordMatch): WordMatch {
  return order[a] <= order[b] ? a : b
}
