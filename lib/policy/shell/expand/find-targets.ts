// Reads the words of `find`: where it starts, which paths it selects, and what it does with them.
import { resolvePattern } from '../model/path-patterns.ts'
import { anyFolders, anyName, hasUnknown, withGlobs, wordSource } from '../model/word-marks.ts'

export interface FindPlan {
  readonly starts: readonly string[]
  /** Words with marks that stand for the selected paths. */
  readonly selected: readonly string[]
  /** Words of `-exec`, `-execdir`, `-ok` and `-okdir`, without the end. */
  readonly commands: readonly (readonly string[])[]
  readonly deletes: boolean
  /** Files of `-fprint`, `-fls` and `-fprintf`. */
  readonly files: readonly string[]
}

const nameTests = new Set(['-name', '-iname', '-path', '-ipath', '-wholename', '-regex', '-iregex', '-lname'])

export function planFind(args: readonly string[]): FindPlan {
  let at = 0
  while (/^-[HLPDO]/.test(args[at] ?? '') && !nameTests.has(args[at] ?? '')) at++
  const first = at
  while (at < args.length && !/^(?:-[a-zA-Z]|[(!,])/.test(args[at] ?? '')) at++
  const starts = at === first ? ['.'] : args.slice(first, at)
  const tests = args.slice(at)
  const commands: (readonly string[])[] = []
  const files: string[] = []
  let names: string[] = []
  let isWide = false
  for (let index = 0; index < tests.length; index++) {
    const test = tests[index] ?? ''
    const value = tests[index + 1] ?? ''
    if (/^-(?:exec|execdir|ok|okdir)$/.test(test)) {
      const end = tests.findIndex((word, position) => position > index && (word === ';' || word === '+'))
      commands.push(tests.slice(index + 1, end < 0 ? undefined : end))
      if (end < 0) break
      index = end
    } else if (nameTests.has(test)) {
      const isNegated = ['!', '-not'].includes(tests[index - 1] ?? '')
      if (!isNegated) names.push(namePattern(test, value))
      index++
    } else if (/^-(?:fprint0?|fls|fprintf)$/.test(test)) files.push(value)
    else if (test === '-empty') names.push(anyName)
    else if (test === '-o' || test === '-or' || test === ',') isWide ||= names.length === 0
  }
  const hasOr = tests.includes('-o') || tests.includes('-or')
  // With `-o` every alternative counts; without it the narrowest test decides.
  if (!hasOr) names = names.filter((name) => /[\p{L}\p{N}\uE002]/u.test(name)).slice(0, 1)
  const isAll = isWide || names.length === 0
  const selected = starts.flatMap((start) =>
    isAll ? [below(start)] : names.map((name) => (name.startsWith('/') ? name : `${below(start)}/${name}`)),
  )
  return { starts, selected, commands, deletes: tests.includes('-delete'), files }
}

function below(start: string): string {
  return start.endsWith('/') ? `${start}${anyFolders}` : `${start}/${anyFolders}`
}

/**
 * The pattern of a path's end that passes a test. Paths and regular expressions with a letter give one unknown name.
 */
function namePattern(test: string, value: string): string {
  if (hasUnknown(value)) return ''
  if (test.endsWith('name') && !test.startsWith('-whole')) return withGlobs(wordSource(value))
  return /[\p{L}\p{N}]/u.test(value) ? anyName : ''
}

/** Output of `find`: the selected paths, or unknown names if it prints something else. */
export function findOutput(args: readonly string[], cwds: readonly string[] | undefined): string {
  const { selected } = planFind(args)
  return selected.map((word) => (cwds?.length === 1 ? resolvePattern(word, cwds[0] ?? '/') : word)).join('\n')
}
