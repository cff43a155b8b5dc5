// Compiles globs: picomatch parses them, RE2 matches them.
// Guarantees: time is proportional to pattern × path, whatever a repository, a model or a rule contains.
import picomatch from 'picomatch'
import { RE2JS } from 're2js'

export interface Glob {
  /** @param file a relative path with `/` between names, and no `.`, `..` or empty name */
  matches(file: string): boolean
  /** Text that each matching path contains; empty if it is unclear. */
  readonly needed: string
}

export interface GlobOptions {
  /** `{a,b}` names alternatives. Default: braces are characters, as in .gitignore. */
  readonly hasBraces?: boolean
}

type MatchPath = (path: string) => boolean

/** A pattern without a slash matches the last name alone; others match the whole path. */
export function compileGlob(pattern: string, { hasBraces = false }: GlobOptions = {}): Glob {
  const plain = pattern.replace(/^(?:\.?\/)+/, '')
  const isAnchored = plain !== pattern || plain.includes('/')
  const { matches, needed } = compilePath(plain.replace(/\/{2,}/g, '/').replace(/\*{3,}/g, '*'), hasBraces)
  return { needed, matches: isAnchored ? matches : (file) => matches(file.slice(file.lastIndexOf('/') + 1)) }
}

/** A path has at most 4,096 bytes, so no longer glob is useful; it matches nothing. */
const maxLength = 4096

/**
 * `*` and `?` within a name, `**` for any number of names, `[a-z]`, `[!a]`, `[[:alpha:]]`; `\` before a literal
 * character. Names that begin with a dot match. An unclosed brace is a character; an invalid class matches nothing.
 */
function compilePath(glob: string, hasBraces: boolean): Glob {
  if (glob.length > maxLength) return matchesNothing
  const literal = glob.replace(/^\*\*\//, '')
  if (!/[*?[\]{}\\]/.test(literal)) return { needed: literal, matches: matchLiteral(literal, literal !== glob) }
  const compiled = compile(glob, hasBraces) ?? (hasBraces && compile(glob, false))
  if (!compiled) return matchesNothing
  const needed = longestLiteral(glob)
  return { needed, matches: (path) => path.includes(needed) && compiled.matches(path) }
}

const matchesNothing: Glob = { needed: '', matches: () => false }

/**
 * Text that each matching path contains; empty if choices or escapes make it unclear. RE2 takes most of the time of
 * `find` over 10⁵ paths, and most paths lack the text (bench/searches.ts). `**` may stand for no name, so its slashes
 * are not needed.
 */
function longestLiteral(glob: string): string {
  if (/[[\]{}\\]/.test(glob)) return ''
  return glob.split(/\/?\*{2}\/?|[*?]/).reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

function matchLiteral(literal: string, anywhere: boolean): MatchPath {
  const end = `/${literal}`
  return anywhere ? (path) => path === literal || path.endsWith(end) : (path) => path === literal
}

const parseOptions: picomatch.PicomatchOptions & { readonly keepQuotes: boolean } = {
  dot: true,
  noextglob: true,
  nonegate: true,
  posix: true,
  regex: false,
  strictSlashes: true,
  keepQuotes: true,
  // numbers are not ranges: `{1..3}` is itself, as in ripgrep
  expandRange: (...ends: readonly unknown[]) => ends.filter((end) => typeof end === 'string').join(String.raw`\.\.`),
}

/** Undefined for a glob that is not a valid expression. */
function compile(glob: string, hasBraces: boolean): RE2JS | undefined {
  const { output } = picomatch.parse(escapeOthers(glob, hasBraces), parseOptions) as { readonly output: string }
  try {
    return RE2JS.compile(withoutLookahead(output), RE2JS.DOTALL)
  } catch {
    return undefined // an unclosed brace, or a class such as [z-a]
  }
}

/**
 * Escapes what is not a glob: picomatch would pass it to the expression. An escaped letter is the letter, not a class.
 */
function escapeOthers(glob: string, hasBraces: boolean): string {
  return glob.replace(/\\([^])|[()|"]|[{}]/g, (text, escaped: string | undefined) => {
    if (escaped !== undefined) return /[\p{L}\p{N}_]/u.test(escaped) ? escaped : text
    return hasBraces && (text === '{' || text === '}') ? text : `\\${text}`
  })
}

/**
 * picomatch excludes `.`, `..` and empty names by look-ahead, which RE2 does not have; no path contains these names.
 */
function withoutLookahead(expression: string): string {
  return expression
    .replaceAll(String.raw`(?!\.{1,2}(?:\/|$))`, '')
    .replaceAll(String.raw`(?!(?:^|\/)\.{1,2}(?:\/|$))`, '')
    .replaceAll(String.raw`(?!\.{0,1}(?:\/|$))`, '')
    .replaceAll('(?=.)', '')
}
