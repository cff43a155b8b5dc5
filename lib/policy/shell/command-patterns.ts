// Matches simple commands against the patterns of permission rules, word by word.
// Guarantees: matching takes time in the product of the lengths; an unknown word matches nothing.
import type { CommandAnalysis, SimpleCommand } from './model/command-analysis.ts'
import { isWithin } from './model/path-patterns.ts'
import { matchesWildcards } from './model/wildcards.ts'
import { choosesPrograms } from '../../streams/values/program-variables.ts'

/**
 * True if the command's words match the pattern: `git status`, `npm run test *`, or `npm run test:*` as other agents
 * write it. `*` as a whole word stands for any words, also none; in a word it stands for any characters of that word.
 * `:*` at the end stands for any further words. A pattern without `*` matches exactly these words. Command names match
 * without their folder if the pattern's has none and the folder is a system folder. A word that is not known matches
 * nothing; a glob such as `src/*.ts` counts as written.
 */
export function matchesCommandPattern(pattern: string, command: SimpleCommand): boolean {
  // A glob that does not begin a word cannot become an option: `*` takes it like a known word.
  const words = command.words.map(
    ({ value, text, isGlob }) => value ?? (isGlob === true && /^[\w./]/.test(text) ? text : undefined),
  )
  if (words.length === 0) return false
  return matchesWords(patternWords(pattern), [programName(words[0], pattern), ...words.slice(1)])
}

/** Words of a pattern; quotes keep blanks together. */
function patternWords(pattern: string): readonly string[] {
  const isPrefix = pattern.endsWith(':*')
  const text = isPrefix ? pattern.slice(0, -2) : pattern
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
  return isPrefix ? [...words, '*'] : words
}

function programName(word: string | undefined, pattern: string): string | undefined {
  const name = /^(?:\/usr(?:\/local)?)?\/s?bin\/([^/]+)$/.exec(word ?? '')?.[1]
  return name === undefined || pattern.trimStart().startsWith('/') ? word : name
}

/** One row per word of the pattern: the numbers of command words that it can have consumed. */
function matchesWords(pattern: readonly string[], words: readonly (string | undefined)[]): boolean {
  let reached = [true, ...words.map(() => false)]
  for (const part of pattern) {
    const next = reached.map(() => false)
    let isOpen = false
    for (let count = 0; count <= words.length; count++) {
      if (part === '*') {
        // An unknown word may be several: it ends what `*` takes.
        if (count > 0 && words[count - 1] === undefined) isOpen = false
        isOpen ||= reached[count] === true
        next[count] = isOpen
      } else if (count > 0 && reached[count - 1] === true) {
        const word = words[count - 1]
        next[count] = word !== undefined && matchesWildcards(part, word)
      }
    }
    reached = next
  }
  return reached[words.length] === true
}

export interface CoverageOptions {
  /** Absolute workspace folder. */
  readonly workspace: string
  /** Follows the links of an absolute path, as the kernel does. Default: names alone decide. */
  readonly realPath?: (file: string) => string
}

/**
 * True if allow patterns cover the whole command: every simple command matches one, nothing is unknown, no variable is
 * set in front of a command, and no redirection leaves the workspace. What a wrapper such as `sudo` runs must match by
 * itself, too.
 */
export function isCoveredBy(patterns: readonly string[], analysis: CommandAnalysis, options: CoverageOptions): boolean {
  if (!analysis.isComplete || analysis.commands.length === 0) return false
  if (analysis.assigned.some((name) => choosesPrograms(name))) return false
  return analysis.commands.every((command) => {
    const { words, assignments, redirections, cwd } = command
    if (assignments.length > 0 && words.length > 0) return false
    const staysInside = redirections.every(
      ({ mode, target }) => mode === 'text' || mode === 'duplicate' || isInside(target?.value, cwd, options),
    )
    if (!staysInside) return false
    return words.length === 0 || patterns.some((pattern) => matchesCommandPattern(pattern, command))
  })
}

/** True if name and real path are in the workspace. @param cwd the folders in which the command may run */
function isInside(
  target: string | undefined,
  cwd: SimpleCommand['cwd'],
  { workspace, realPath = normalised }: CoverageOptions,
): boolean {
  if (target === undefined) return false
  if (/^\/dev\/(?:null|stdout|stderr|tty)$/.test(target)) return true
  const files = target.startsWith('/') ? [target] : (cwd ?? []).map((folder) => `${folder}/${target}`)
  const isIn = (file: string): boolean =>
    isWithin(normalised(file), workspace) && isWithin(realPath(file), realPath(workspace))
  return files.length > 0 && files.every(isIn)
}

function normalised(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}
