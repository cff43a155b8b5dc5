// Matches paths against globs.
// Guarantees: time is proportional to pattern × path, whatever a repository or a model wrote.

export interface Glob {
  /** @param names the names of a relative path, from the top */
  matches(names: readonly string[]): boolean
}

type Step = { readonly any: 'one' | 'many' } | { readonly isMember: (character: string) => boolean }

/** One name of the pattern; `**` stands for any number of names. */
type Segment = '**' | readonly Step[]

/**
 * `*`, `?`, `[a-z]` and `**`, with `\` before a literal character. A pattern without a slash matches the last name
 * alone; others match the whole path.
 */
export function compileGlob(pattern: string): Glob {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  const isAnchored = plain !== pattern || plain.includes('/')
  const segments = splitNames(plain).map((name): Segment => (name === '**' ? '**' : stepsOf(name)))
  if (segments.at(-1) === '**') segments.push([many]) // `a/**` is everything inside a, not a
  return isAnchored
    ? { matches: (names) => matchList(segments, names, isGlobstar, matchesName) }
    : { matches: (names) => matchList(segments, names.slice(-1), isGlobstar, matchesName) }
}

/** The alternatives of `{a,b}`, at most 64; a pattern with more, or with an open brace, is taken literally. */
export function expandBraces(pattern: string): readonly string[] {
  let open = [pattern]
  for (let round = 0; round < 16; round += 1) {
    const next = open.flatMap((each) => {
      const found = /\{(?<inner>[^{}]*,[^{}]*)\}/.exec(each)
      if (found === null) return [each]
      const rest = each.slice(found.index + found[0].length)
      return (found.groups?.['inner'] ?? '').split(',').map((part) => `${each.slice(0, found.index)}${part}${rest}`)
    })
    if (next.length > 64) return [pattern]
    if (next.length === open.length && next.every((each, index) => each === open[index])) return next
    open = next
  }
  return [pattern]
}

/** Splits at slashes outside of brackets. */
function splitNames(pattern: string): string[] {
  return pattern.split('/').filter((name) => name !== '')
}

function stepsOf(name: string): Step[] {
  const characters = Array.from(name)
  const steps: Step[] = []
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '*') {
      if (steps.at(-1) !== many) steps.push(many)
      continue
    }
    const found = character === '[' ? readClass(characters, at) : undefined
    if (found !== undefined) {
      steps.push({ isMember: found.isMember })
      at = found.end
    } else if (character === '?') {
      steps.push({ any: 'one' })
    } else {
      if (character === '\\' && at + 1 < characters.length) at += 1
      const literal = characters[at]
      steps.push({ isMember: (candidate) => candidate === literal })
    }
  }
  return steps
}

const many: Step = { any: 'many' }

/** A class such as `[a-z]` or `[!x]`; undefined if it is not closed: then the bracket is a character. */
function readClass(characters: readonly string[], start: number) {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  const end = characters.indexOf(']', first + 1) // a bracket that comes first is a member
  if (end < 0) return undefined
  const members = characters.slice(first, end)
  const ranges: { readonly from: string; readonly to: string }[] = []
  for (let at = 0; at < members.length; at += 1) {
    const isRange = members[at + 1] === '-' && at + 2 < members.length
    const from = members[at] ?? ''
    ranges.push({ from, to: isRange ? (members[at + 2] ?? from) : from })
    if (isRange) at += 2
  }
  const isMember = (candidate: string): boolean =>
    ranges.some(({ from, to }) => codeOf(from) <= codeOf(candidate) && codeOf(candidate) <= codeOf(to)) !== isNegated
  return { end, isMember }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}

function isGlobstar(segment: Segment): boolean {
  return segment === '**'
}

function matchesName(segment: Segment, name: string): boolean {
  return segment !== '**' && matchList(segment, Array.from(name), (step) => step === many, matchesCharacter)
}

function matchesCharacter(step: Step, character: string): boolean {
  return 'any' in step ? step.any === 'one' : step.isMember(character)
}

/** Matches a list whose patterns may stand for many items; it goes back to the last such pattern only. */
function matchList<Pattern, Item>(
  patterns: readonly Pattern[],
  items: readonly Item[],
  isMany: (pattern: Pattern) => boolean,
  matches: (pattern: Pattern, item: Item) => boolean,
): boolean {
  let [pattern, item] = [0, 0]
  let back: { readonly pattern: number; item: number } | undefined
  while (item < items.length) {
    const current = patterns[pattern]
    if (current !== undefined && isMany(current)) {
      back = { pattern, item }
      pattern += 1
    } else if (current !== undefined && matches(current, items[item] as Item)) {
      pattern += 1
      item += 1
    } else if (back === undefined) {
      return false
    } else {
      back.item += 1
      pattern = back.pattern + 1
      item = back.item
    }
  }
  while (pattern < patterns.length && isMany(patterns[pattern] as Pattern)) pattern += 1
  return pattern === patterns.length
}
